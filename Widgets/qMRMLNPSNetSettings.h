// SPDX-License-Identifier: Apache-2.0
#ifndef qMRMLNPSNetSettings_h
#define qMRMLNPSNetSettings_h

#include "qSlicerNPSNetSegmentationModuleWidgetsExport.h"

#include <QStringList>

class vtkMRMLNPSNetParameterNode;

/// \brief How the network is run, as the user chose it last: kept in the application's settings.
///
/// Eye, calibration and centre belong to a photograph and are not among them.
namespace qMRMLNPSNetSettings
{
Q_SLICER_MODULE_NPSNETSEGMENTATION_WIDGETS_EXPORT void remember(vtkMRMLNPSNetParameterNode* parameters);
/// What was never remembered stays as it is.
Q_SLICER_MODULE_NPSNETSEGMENTATION_WIDGETS_EXPORT void recall(vtkMRMLNPSNetParameterNode* parameters);

/// The same settings, and the calibration, as arguments of NPSNetBatch.
Q_SLICER_MODULE_NPSNETSEGMENTATION_WIDGETS_EXPORT QStringList batchArguments(vtkMRMLNPSNetParameterNode* parameters);
/// In the user's words, for example "augmentation fast, 4.5 µm per pixel"; "the defaults" when all are.
Q_SLICER_MODULE_NPSNETSEGMENTATION_WIDGETS_EXPORT QString describe(vtkMRMLNPSNetParameterNode* parameters);
} // namespace qMRMLNPSNetSettings

#endif
