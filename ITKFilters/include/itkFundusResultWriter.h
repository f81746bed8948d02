// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusResultWriter_h
#define itkFundusResultWriter_h

#include "NPSNetExport.h"
#include "itkFundusResult.h"
#include "itkObject.h"
#include "itkObjectFactory.h"

#include <string>
#include <vector>

namespace itk
{
/** \class FundusResultWriter
 * \brief Writes all files of one photograph.
 *
 * `STEM_labels.nrrd`, `STEM.seg.nrrd`, `STEM_rim.csv`, `STEM_metrics.json`, `STEM_overlay.png` and
 * `STEM_report.html`; the stem is FundusResult::Name. A result without a segmentation has only the metrics file,
 * which says why; files of an outline that an earlier run wrote under that name do not stay. Every file appears whole
 * or not at all, and none when one of them cannot be written: that is an itk::ExceptionObject.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT FundusResultWriter : public Object
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(FundusResultWriter);

  using Self = FundusResultWriter;
  using Superclass = Object;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkTypeMacro(FundusResultWriter, Object);

  /** Made when it does not exist. Default: the current folder. */
  itkSetStringMacro(OutputDirectory);
  itkGetStringMacro(OutputDirectory);

  /** All on by default. */
  itkSetMacro(WriteLabels, bool);
  itkGetConstMacro(WriteLabels, bool);
  itkBooleanMacro(WriteLabels);
  itkSetMacro(WriteSegmentation, bool);
  itkGetConstMacro(WriteSegmentation, bool);
  itkBooleanMacro(WriteSegmentation);
  itkSetMacro(WriteRimTable, bool);
  itkGetConstMacro(WriteRimTable, bool);
  itkBooleanMacro(WriteRimTable);
  itkSetMacro(WriteMetrics, bool);
  itkGetConstMacro(WriteMetrics, bool);
  itkBooleanMacro(WriteMetrics);
  itkSetMacro(WriteOverlay, bool);
  itkGetConstMacro(WriteOverlay, bool);
  itkBooleanMacro(WriteOverlay);
  itkSetMacro(WriteReport, bool);
  itkGetConstMacro(WriteReport, bool);
  itkBooleanMacro(WriteReport);

  /** Returns the paths of the files written. */
  std::vector<std::string> Write(const FundusResult & result) const;

  /** `_labels.nrrd` and so on: what follows the stem in the names of all files that a photograph can have. */
  static const std::vector<std::string> & GetEndings();

  /** For a photograph without a result: what an earlier run wrote under this name goes. Only beside its metrics file,
   * which every run writes: other files of such a name are not ours. */
  static void RemoveEarlier(const std::string & directory, const std::string & name);

  /** The texts of the files, for those who show them elsewhere. */
  static std::string ToRimCSV(const RimMeasurements & measurements);
  static std::string ToMetricsJSON(const FundusResult & result);
  static std::string ToReportHTML(const FundusResult & result);

  /** Labels 0/1/2 with the stored geometry, compressed. */
  static void WriteLabelMap(const FundusPhotograph::StoredLabelImageType * labels, const std::string & fileName);

  /** The two nested segments as Slicer's overlapping layers, with names, colours and terminology. */
  static void WriteSlicerSegmentation(const FundusPhotograph::StoredLabelImageType * labels,
                                      EyeSideEnum                                    eye,
                                      const std::string &                            fileName);

  /** The photograph with both outlines. */
  static void WriteOverlayPNG(const FundusResult & result, const std::string & fileName);

protected:
  FundusResultWriter() = default;
  ~FundusResultWriter() override = default;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  std::string m_OutputDirectory{ "." };
  bool        m_WriteLabels{ true };
  bool        m_WriteSegmentation{ true };
  bool        m_WriteRimTable{ true };
  bool        m_WriteMetrics{ true };
  bool        m_WriteOverlay{ true };
  bool        m_WriteReport{ true };
};
} // namespace itk

#endif
