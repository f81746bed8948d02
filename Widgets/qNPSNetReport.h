#ifndef qNPSNetReport_h
#define qNPSNetReport_h

#include "qNPSNetResults.h"
#include "qSlicerNPSNetSegmentationModuleWidgetsExport.h"

#include <QImage>
#include <QStringList>

/// \brief One HTML file, pictures inside, of a result as the scene has it now, edits included.
///
/// The reports of the command line come from ITKFilters; this one shows what the reader sees in Slicer.
struct Q_SLICER_MODULE_NPSNETSEGMENTATION_WIDGETS_EXPORT qNPSNetReport
{
  qNPSNetResults Results;
  QVector<QStringList> Summary; ///< measurement, value, unit
  QImage Photo;                 ///< with the outlines, as the slice view shows it

  QString html() const;
  /// The whole file or nothing; false with a sentence in error.
  bool write(const QString& fileName, QString* error = nullptr) const;
};

#endif
