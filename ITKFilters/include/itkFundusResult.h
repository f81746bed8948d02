// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusResult_h
#define itkFundusResult_h

#include "NPSNetExport.h"
#include "itkEyeSide.h"
#include "itkFundusPhotograph.h"
#include "itkNestedPolarBoundary.h"
#include "itkRimMeasurements.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace itk
{
/** \class FundusStatusEnum
 * \brief How the analysis of one photograph ended.
 * \ingroup NPSNet
 */
enum class FundusStatusEnum : uint8_t
{
  Ok,
  LowConfidence, // segmented, but a reader must look
  NotFound,      // no optic nerve head found: nothing is segmented
  Unreadable,    // the file could not be decoded
  Failed         // anything else; the message says what
};

/** "ok", "low_confidence", "not_found", "unreadable", "failed". */
NPSNet_EXPORT std::string FundusStatusToString(FundusStatusEnum status);
/** Failed for a text that is not a status. */
NPSNet_EXPORT FundusStatusEnum FundusStatusFromString(const std::string & text);

/** \class FundusResult
 * \brief All that is known about one photograph after its analysis: what the writers, the batch table and the
 * Slicer logic consume.
 *
 * A plain value with one text form, ToJSON(): the metrics file. What is not known stays as it is. Places are pixel
 * indices of the upright photograph, lengths are photo pixels; the boundaries lie in the physical space of
 * FundusPhotograph.
 *
 * \ingroup NPSNet
 */
struct NPSNet_EXPORT FundusResult
{
  using IndexType = ContinuousIndex<double, 2>;

  struct Model
  {
    std::string Name;
    std::string Version;
    std::string SHA256;
    std::string Licence;
    /** Without its folder: that is the business of one machine, the hash says which file it was. */
    std::string FileName;
    bool        IsKnown() const { return !Name.empty() || !SHA256.empty(); }
  };

  struct Locator
  {
    /** "network", "user" (click or ROI), "crop" (the photograph is already a crop) or "" when not run. */
    std::string              Method;
    std::optional<IndexType> Center;
    std::optional<double>    Diameter;
    std::optional<double>    Confidence;
    std::string              ModelSHA256;
  };

  struct TestTimeAugmentation
  {
    std::string           Mode; // "off", "fast", "full", "paper", "symmetric", "reference"
    unsigned int          NumberOfHypotheses{ 0 };
    std::optional<double> Score; // of the winning hypothesis
  };

  struct Crop
  {
    IndexType    Center{};
    double       Side{ 0.0 };
    unsigned int Size{ 0 }; // crop pixels a side
  };

  /** The raster of the photograph's file. */
  struct StoredRaster
  {
    unsigned int Width{ 0 };
    unsigned int Height{ 0 };
    unsigned int Orientation{ 1 }; // EXIF convention
  };

  /** Base name of the output files and the row's name. */
  std::string Name;
  /** As the user gave it. */
  std::string InputFileName;

  FundusStatusEnum Status{ FundusStatusEnum::Failed };
  std::string      Message; // empty when Status is Ok

  EyeSideEnum   Eye{ EyeSideEnum::Unknown };
  EyeSourceEnum EyeSource{ EyeSourceEnum::None };

  /** "user", "dicom" or empty; the value itself is Measurements.MicrometersPerPixel. */
  std::string CalibrationSource;

  /** See SetPhotograph(). */
  FundusPhotograph::ConstPointer Photograph;
  std::optional<StoredRaster>    Stored;
  /** Null when nothing was segmented, or when the labels were edited by hand. */
  NestedPolarBoundary::ConstPointer Boundary;
  /** As the network drew it, when Boundary had to be made whole on the photograph's raster; else null. */
  NestedPolarBoundary::ConstPointer NetworkBoundary;
  /** Upright labels 0/1/2 on the photograph's raster; null when nothing was segmented. */
  FundusPhotograph::LabelImageType::ConstPointer Labels;
  /** Their Eye is this result's. */
  RimMeasurements Measurements;

  /** Of the labels; empty when not checked. */
  std::optional<bool> Valid;

  Model                Network;
  Locator              Localisation;
  TestTimeAugmentation TTA;
  std::optional<Crop>  CropGeometry;
  std::string          Device;    // "cpu", "cuda"
  std::string          Precision; // "fp32", "bf16", "fp16"

  /** Stage -> seconds, in the order of execution. */
  std::vector<std::pair<std::string, double>> StageSeconds;
  /** Wall-clock time of the whole photograph. */
  std::optional<double> Seconds;

  bool HasSegmentation() const { return Labels.IsNotNull(); }

  /** Sets Photograph and Stored. */
  void SetPhotograph(const FundusPhotograph * photograph);

  /** The metrics file (Resources/Schemas/metrics.schema.json): everything but pixels, every digit. Bytes that are not
   * UTF-8 are replaced. A negative indent leaves line ends out. */
  std::string ToJSON(int indent = 1) const;

  /** The same result without photograph and labels; what the text does not have stays unknown. Throws
   * itk::ExceptionObject with one sentence when this is not a metrics file. */
  static FundusResult FromJSON(const std::string & text);
};

/** Whether all is equal but the pixels of photograph and labels. */
NPSNet_EXPORT bool operator==(const FundusResult & a, const FundusResult & b);
inline bool        operator!=(const FundusResult & a, const FundusResult & b)
{
  return !(a == b);
}
} // namespace itk

#endif
