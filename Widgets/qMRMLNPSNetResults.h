// SPDX-License-Identifier: Apache-2.0
#ifndef qMRMLNPSNetResults_h
#define qMRMLNPSNetResults_h

#include "qNPSNetResults.h"
#include "qSlicerNPSNetSegmentationModuleWidgetsExport.h"

class vtkMRMLNPSNetParameterNode;
class vtkSlicerNPSNetSegmentationLogic;

/// The logic's summary of a parameter node in the reader's words; not valid when there is none or the disc is empty.
Q_SLICER_MODULE_NPSNETSEGMENTATION_WIDGETS_EXPORT qNPSNetResults qMRMLNPSNetResults(
  vtkSlicerNPSNetSegmentationLogic* logic, vtkMRMLNPSNetParameterNode* parameters);

#endif
