// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusResult_h
#define itkFundusResult_h

#include "NPSNetExport.h"
#include "itkEyeSide.h"
#include "itkFundusPhotograph.h"
#include "itkNestedPolarBoundary.h"
#include "itkRimMeasurements.h"

#include <array>
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
 * A plain value: what is known is filled in, the rest stays as it is.
 * Positions and lengths are in the photo pixel space of FundusPhotograph; the writers give positions as ToIndex().
 *
 * \ingroup NPSNet
 */
struct NPSNet_EXPORT FundusResult
{
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
    std::string                          Method;
    std::optional<std::array<double, 2>> Center;
    std::optional<double>                Diameter;
    std::optional<double>                Confidence;
    std::string                          ModelSHA256;
  };

  struct TestTimeAugmentation
  {
    std::string           Mode; // "off", "fast", "full", "paper", "symmetric", "reference"
    unsigned int          NumberOfHypotheses{ 0 };
    std::optional<double> Score; // of the winning hypothesis
  };

  struct Crop
  {
    std::array<double, 2> Center{ { 0.0, 0.0 } };
    double                Side{ 0.0 };
    unsigned int          Size{ 0 }; // crop pixels a side
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

  FundusPhotograph::ConstPointer Photograph;
  /** Null when nothing was segmented, or when the labels were edited by hand. */
  NestedPolarBoundary::ConstPointer Boundary;
  /** As the network drew it, when Boundary had to be made whole on the photograph's raster; else null. */
  NestedPolarBoundary::ConstPointer NetworkBoundary;
  /** Upright labels 0/1/2 on the photograph's raster; null when nothing was segmented. */
  FundusPhotograph::LabelImageType::ConstPointer Labels;
  RimMeasurements                                Measurements;

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

  /** Where the upright raster lies in the photo pixel space; stays when Photograph goes. */
  std::array<double, 2> PixelOrigin{ { 0.0, 0.0 } };
  std::array<double, 2> PixelSpacing{ { 1.0, 1.0 } };

  /** Sets Photograph and its raster. */
  void SetPhotograph(const FundusPhotograph * photograph);

  /** A position as the pixel index of the upright photograph. */
  std::array<double, 2> ToIndex(const std::array<double, 2> & position) const;
  /** The way back. */
  std::array<double, 2> ToPosition(const std::array<double, 2> & index) const;
};
} // namespace itk

#endif
