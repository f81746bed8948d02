// SPDX-License-Identifier: Apache-2.0
#ifndef qMRMLNPSNetResults_h
#define qMRMLNPSNetResults_h

#include "qNPSNetResults.h"
#include "qSlicerNPSNetSegmentationModuleWidgetsExport.h"

class vtkMRMLNPSNetParameterNode;

/// What the output tables of a parameter node say; not valid when there are none or the disc is empty.
Q_SLICER_MODULE_NPSNETSEGMENTATION_WIDGETS_EXPORT qNPSNetResults qMRMLNPSNetResults(
  vtkMRMLNPSNetParameterNode* parameters);

#endif
