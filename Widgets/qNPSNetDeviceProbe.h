// SPDX-License-Identifier: Apache-2.0
#ifndef qNPSNetDeviceProbe_h
#define qNPSNetDeviceProbe_h

#include "qSlicerNPSNetSegmentationModuleWidgetsExport.h"

#include <QObject>

/// \brief Asks, without blocking, which devices this computer has: processor threads, and NVIDIA's driver for its GPUs.
class Q_SLICER_MODULE_NPSNETSEGMENTATION_WIDGETS_EXPORT qNPSNetDeviceProbe : public QObject
{
  Q_OBJECT
public:
  explicit qNPSNetDeviceProbe(QObject* parent = nullptr);
  ~qNPSNetDeviceProbe() override;

  /// found() follows, also when there is no driver.
  void start(const QString& program = "nvidia-smi");

  /// One sentence from the driver's answer, one GPU a line ("name, memory"); an empty answer means no GPU.
  static QString describe(const QString& answer);

signals:
  void found(const QString& text);
};

#endif
