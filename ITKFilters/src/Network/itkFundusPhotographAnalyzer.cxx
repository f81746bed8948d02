// SPDX-License-Identifier: Apache-2.0
#include "itkFundusPhotographAnalyzer.h"

#include "itkCommand.h"
#include "itkExceptionSentence.h"
#include "itkEyeLaterality.h"
#include "itkFundusPhotographReader.h"
#include "itkMath.h"
#include "itkModelFiles.h"
#include "itkNPSNet.h"
#include "itkNPSNetImageFilter.h"
#include "itkNPSNetThrow.h"
#include "itkNestedLabelValidity.h"
#include "itkOpticNerveHeadLocator.h"
#include "itkPolarFrame.h"
#include "itkRimMeasurementCalculator.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <optional>

namespace itk
{
namespace
{
/** Without a locator a click says where the disc is, not how large: this share of the photograph's smaller side holds
 * it with room to spare at the usual 30 to 50 degrees, and the second pass fits the crop to it. */
constexpr double DefaultSideShare = 0.32;

/** Crop side of the paper's protocol: twice the disc's box. */
constexpr double SidePerDiameter = 2.0;

constexpr const char * NothingAboutTheCenter =
  "No optic disc was found about the given centre: check the photograph, or give another centre.";

class Stopwatch
{
public:
  double Seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_Start).count(); }

private:
  std::chrono::steady_clock::time_point m_Start{ std::chrono::steady_clock::now() };
};

/** Progress of one photograph, and its cancellation. */
class StageProgress
{
public:
  explicit StageProgress(const FundusPhotographAnalyzer::ProgressFunction & function)
    : m_Function(function)
  {}

  /** False when the user cancelled. */
  bool Report(double fraction, const std::string & stage)
  {
    m_Cancelled = m_Cancelled || (m_Function && !m_Function(fraction, stage));
    return !m_Cancelled;
  }

  void Require(double fraction, const std::string & stage)
  {
    if (!this->Report(fraction, stage))
    {
      throw ProcessAborted(__FILE__, __LINE__);
    }
  }

private:
  const FundusPhotographAnalyzer::ProgressFunction & m_Function;
  bool                                               m_Cancelled{ false };
};

struct NotFoundError
{};

struct CropPlace
{
  Point<double, 2> Center;
  double           Side{ 0.0 };
  bool             Certain{ true };
  /** What the locator found with certainty beside a given centre. */
  std::optional<OpticNerveHeadLocator::Location> Found;
};

void RemoveSegmentation(FundusResult & result)
{
  result.Boundary = nullptr;
  result.NetworkBoundary = nullptr;
  result.Labels = nullptr;
  result.Valid.reset();
  result.Measurements = RimMeasurements();
}

/** Passes over one photograph: the first about the place that the locator gave, each further one about the outline of
 * the one before, until the crop agrees with its own outline. */
constexpr unsigned int MostPasses = 5;

/** How far a crop may be from the one that its outline asks for: logarithm of the ratio of the sides, and distance of
 * the centres as part of the side. */
struct CropTolerance
{
  double Side;
  double Center;
};
constexpr CropTolerance Settled{ 0.06, 0.025 }; ///< another pass would show the same
constexpr CropTolerance Trusted{ 0.12, 0.05 };  ///< within what the network was trained to see

bool IsWithin(const CropTolerance & tolerance, const CropPlace & crop, const CropPlace & asked)
{
  return std::abs(std::log(asked.Side / crop.Side)) <= tolerance.Side &&
         asked.Center.EuclideanDistanceTo(crop.Center) <= tolerance.Center * crop.Side;
}

/** Whether a measured disc is not the one that was found: apart by its radius, or of half or twice its size. */
bool IsAnotherPlace(const RimMeasurements & measurements, const OpticNerveHeadLocator::Location & found)
{
  if (!measurements.DiscCentroid || !measurements.EquivalentDiscRadius)
  {
    return false;
  }
  const double distance =
    std::hypot((*measurements.DiscCentroid)[0] - found.Center[0], (*measurements.DiscCentroid)[1] - found.Center[1]);
  const double size = 2.0 * *measurements.EquivalentDiscRadius / found.Diameter;
  return distance > 0.5 * found.Diameter || size < 0.5 || size > 2.0;
}

/** Crop about the box of a disc; false when there is none. */
bool CropAboutDisc(const NestedPolarBoundary * boundary, CropPlace & place)
{
  if (boundary->IsDiscEmpty())
  {
    return false;
  }
  // Along the boundary's own axes, as the crop is cut.
  const auto &          radii = boundary->GetDiscRadii();
  std::array<double, 2> low{ { 0.0, 0.0 } };
  std::array<double, 2> high{ { 0.0, 0.0 } };
  for (std::size_t i = 0; i < radii.size(); ++i)
  {
    const double theta = Math::twopi * static_cast<double>(i) / static_cast<double>(radii.size());
    const double offset[] = { radii[i] * std::cos(theta), radii[i] * std::sin(theta) };
    for (unsigned int k = 0; k < 2; ++k)
    {
      low[k] = std::min(low[k], offset[k]);
      high[k] = std::max(high[k], offset[k]);
    }
  }
  const auto & axes = boundary->GetAxes();
  for (unsigned int k = 0; k < 2; ++k)
  {
    place.Center[k] = boundary->GetAnchor()[k] +
                      0.5 * boundary->GetRadius() * (axes(k, 0) * (low[0] + high[0]) + axes(k, 1) * (low[1] + high[1]));
  }
  place.Side = SidePerDiameter * boundary->GetRadius() * std::max(high[0] - low[0], high[1] - low[1]);
  return place.Side > 0.0;
}
} // namespace

struct FundusPhotographAnalyzer::Implementation
{
  FundusAnalyzerSettings Settings;

  NPSNet::ConstPointer GetNetwork();
  /** Null when no locator model is installed. */
  OpticNerveHeadLocator::ConstPointer GetLocator();
  PolarTTASettings                    GetTTASettings(const NPSNet * network) const;

  CropPlace FindCrop(const FundusPhotograph *        photograph,
                     const FundusPhotographOptions & options,
                     FundusResult::Locator &         localisation);

  static void UseClick(const FundusPhotograph *        photograph,
                       const FundusPhotographOptions & options,
                       CropPlace &                     place,
                       FundusResult::Locator &         localisation);

  NPSNetImageFilter::Pointer Segment(const FundusPhotograph * photograph,
                                     const CropPlace &        place,
                                     StageProgress &          progress,
                                     double                   from,
                                     double                   to);

  void Fill(FundusResult & result, NPSNetImageFilter * filter) const;

private:
  std::mutex                          m_Mutex;
  NPSNet::ConstPointer                m_Network;
  OpticNerveHeadLocator::ConstPointer m_Locator;
};

OpticNerveHeadLocator::ConstPointer FundusPhotographAnalyzer::Implementation::GetLocator()
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  if (m_Locator.IsNull())
  {
    const std::string file = Settings.LocatorFile.empty() ? ModelFiles::GetDefaultLocator() : Settings.LocatorFile;
    if (!file.empty())
    {
      m_Locator = OpticNerveHeadLocator::Load(file, Settings.Device, Settings.Threads);
    }
  }
  return m_Locator;
}

NPSNet::ConstPointer FundusPhotographAnalyzer::Implementation::GetNetwork()
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  if (m_Network.IsNull())
  {
    const std::string file = Settings.ModelFile.empty() ? ModelFiles::GetDefaultNetwork() : Settings.ModelFile;
    if (file.empty())
    {
      npsnetThrow("The default model Models/npsnet-default.safetensors was not found: set NPSNET_RESOURCES_DIR to the "
                  "Resources folder of NPSNetSegmentation, or give a model file.");
    }
    NPSNet::Settings settings;
    settings.Engine = Settings.Engine;
    settings.Device = Settings.Device;
    settings.Precision = Settings.Precision;
    settings.Threads = Settings.Threads;
    settings.AllowNegativePriorScale = Settings.TTAMode == "reference";
    m_Network = NPSNet::Load(file, settings);
    this->GetTTASettings(m_Network); // an unknown mode is an error now, not at the first photograph
  }
  return m_Network;
}

PolarTTASettings FundusPhotographAnalyzer::Implementation::GetTTASettings(const NPSNet * network) const
{
  PolarTTASettings settings = Settings.TTA;
  const auto &     extra = network->GetArchitecture().Extra;
  const auto       recommended = extra.find("recommended_tta");
  const bool       automatic = Settings.TTAMode.empty() || Settings.TTAMode == "auto";
  settings.Mode = PolarTTAModeFromString(!automatic                   ? Settings.TTAMode
                                         : recommended == extra.end() ? "off"
                                                                      : recommended->second);
  const auto flip = extra.find("recommended_flip_average");
  if (automatic && flip != extra.end())
  {
    settings.FlipAverage = flip->second == "true";
  }
  return settings;
}

CropPlace FundusPhotographAnalyzer::Implementation::FindCrop(const FundusPhotograph *        photograph,
                                                             const FundusPhotographOptions & options,
                                                             FundusResult::Locator &         localisation)
{
  const auto * image = photograph->GetImage();
  CropPlace    place;
  place.Center = PolarFrame::DefaultCenter(image);
  place.Side = 2.0 * PolarFrame::DefaultRadius(image);
  if (options.Side && !(std::isfinite(*options.Side) && *options.Side > 0.0))
  {
    npsnetThrow("The side of the region must be a positive number of pixels, not " << *options.Side << '.');
  }
  if (!Settings.Locate)
  {
    localisation.Method = "crop";
    if (options.Center)
    {
      UseClick(photograph, options, place, localisation);
    }
    place.Side = options.Side ? *options.Side : place.Side;
    return place;
  }
  if (options.Center && options.Side)
  {
    UseClick(photograph, options, place, localisation);
    place.Side = *options.Side;
    return place;
  }

  const auto locator = this->GetLocator();
  if (locator.IsNull() && !options.Center)
  {
    npsnetThrow("The locator model Models/onh-locator.safetensors is not installed: give the centre of the optic disc "
                "(--center X,Y), or --no-locate for a photograph that is already a crop centred on it.");
  }
  OpticNerveHeadLocator::Location location;
  if (locator.IsNotNull())
  {
    location = locator->Locate(image);
    localisation.ModelSHA256 = locator->GetModelSHA256();
    localisation.Method = "network";
    localisation.Confidence = location.Confidence;
    if (location.Found)
    {
      localisation.Center = { { location.Center[0], location.Center[1] } };
      localisation.Diameter = location.Diameter;
    }
  }
  if (options.Center)
  {
    // The locator knows the size when it means the same disc.
    UseClick(photograph, options, place, localisation);
    if (location.Found && location.Certain)
    {
      place.Found = location;
    }
    const bool same = location.Found && place.Center.EuclideanDistanceTo(location.Center) < location.Diameter;
    place.Side = same ? SidePerDiameter * location.Diameter : DefaultSideShare * place.Side;
    return place;
  }
  if (!location.Found)
  {
    throw NotFoundError();
  }
  place.Center = location.Center;
  place.Certain = location.Certain;
  place.Side = options.Side ? *options.Side : SidePerDiameter * location.Diameter;
  return place;
}

void FundusPhotographAnalyzer::Implementation::UseClick(const FundusPhotograph *        photograph,
                                                        const FundusPhotographOptions & options,
                                                        CropPlace &                     place,
                                                        FundusResult::Locator &         localisation)
{
  for (unsigned int k = 0; k < 2; ++k)
  {
    place.Center[k] = (*options.Center)[k];
    if (!std::isfinite(place.Center[k]))
    {
      npsnetThrow("The centre must be two finite numbers.");
    }
  }
  if (!photograph->IsInside(*options.Center))
  {
    const auto index = photograph->PointToIndex(*options.Center);
    const auto size = photograph->GetImage()->GetBufferedRegion().GetSize();
    npsnetThrow("The centre " << index[0] << ", " << index[1] << " lies outside the photograph of " << size[0] << " x "
                              << size[1] << " pixels: give a point near the optic disc.");
  }
  localisation.Method = "user";
  localisation.Center = options.Center;
}

NPSNetImageFilter::Pointer FundusPhotographAnalyzer::Implementation::Segment(const FundusPhotograph * photograph,
                                                                             const CropPlace &        place,
                                                                             StageProgress &          progress,
                                                                             double                   from,
                                                                             double                   to)
{
  const auto network = this->GetNetwork();
  auto       filter = NPSNetImageFilter::New();
  filter->SetInput(photograph->GetImage());
  filter->SetNetwork(network);
  filter->SetCenter(place.Center);
  filter->SetSide(place.Side);
  filter->SetTTASettings(this->GetTTASettings(network));
  NPSNetImageFilter * observed = filter;
  filter->AddObserver(ProgressEvent(), [observed, &progress, from, to](const EventObject &) {
    if (!progress.Report(from + (to - from) * observed->GetProgress(), "segment"))
    {
      observed->AbortGenerateDataOn();
    }
  });
  filter->Update();
  return filter;
}

void FundusPhotographAnalyzer::Implementation::Fill(FundusResult & result, NPSNetImageFilter * filter) const
{
  FundusResult::Crop crop;
  crop.Center = { { filter->GetCropCenter()[0], filter->GetCropCenter()[1] } };
  crop.Side = filter->GetCropSide();
  crop.Size = filter->GetNetwork()->GetArchitecture().CropSize;
  result.CropGeometry = crop;

  const PolarTTAReport & report = filter->GetReport();
  result.TTA.Mode = PolarTTAModeToString(filter->GetTTASettings().Mode);
  result.TTA.NumberOfHypotheses = static_cast<unsigned int>(report.Entries.size());
  if (!report.Finite)
  {
    result.Status = FundusStatusEnum::Failed;
    result.Message = "The network gave values that are not finite: the weights do not suit this photograph.";
    return;
  }
  result.TTA.Score = report.Entries.at(report.Winner).Score;
  if (filter->GetBoundary()->IsDiscEmpty())
  {
    result.Status = FundusStatusEnum::NotFound;
    result.Message = NothingAboutTheCenter;
    return;
  }
  NestedPolarBoundary::Pointer boundary = filter->GetBoundary();
  boundary->DisconnectPipeline();
  result.Boundary = boundary;
  if (filter->GetBoundaryWasRepaired())
  {
    NestedPolarBoundary::Pointer original = filter->GetNetworkBoundary();
    original->DisconnectPipeline();
    result.NetworkBoundary = original;
  }
}

FundusPhotographAnalyzer::FundusPhotographAnalyzer()
  : m_Implementation(std::make_unique<Implementation>())
{}

FundusPhotographAnalyzer::~FundusPhotographAnalyzer() = default;

void FundusPhotographAnalyzer::SetSettings(const FundusAnalyzerSettings & settings)
{
  m_Implementation = std::make_unique<Implementation>();
  m_Implementation->Settings = settings;
  this->Modified();
}

const FundusAnalyzerSettings & FundusPhotographAnalyzer::GetSettings() const
{
  return m_Implementation->Settings;
}

void FundusPhotographAnalyzer::Load() const
{
  m_Implementation->GetNetwork();
  if (m_Implementation->Settings.Locate)
  {
    m_Implementation->GetLocator();
  }
}

FundusResult FundusPhotographAnalyzer::Analyze(const std::string &             fileName,
                                               const FundusPhotographOptions & options,
                                               const ProgressFunction &        progress) const
{
  const Stopwatch total;
  this->Load();
  auto reader = FundusPhotographReader::New();
  try
  {
    reader->SetFileName(fileName);
    reader->SetMaximumNumberOfPixels(m_Implementation->Settings.MaximumNumberOfPixels);
    reader->Update();
  }
  catch (const std::exception & error)
  {
    FundusResult result;
    result.Name = options.Name.empty() ? std::filesystem::path(fileName).stem().string() : options.Name;
    result.InputFileName = fileName;
    result.Status = FundusStatusEnum::Unreadable;
    result.Message = ExceptionSentence(error);
    result.Seconds = total.Seconds();
    return result;
  }
  const double seconds = total.Seconds();
  FundusResult result = this->Analyze(reader->GetOutput(), options, progress);
  result.StageSeconds.insert(result.StageSeconds.begin(), { "read", seconds });
  result.Seconds = total.Seconds();
  return result;
}

FundusResult FundusPhotographAnalyzer::Analyze(const FundusPhotograph *        photograph,
                                               const FundusPhotographOptions & options,
                                               const ProgressFunction &        progressFunction) const
{
  const Stopwatch total;
  if (!photograph || !photograph->GetImage())
  {
    npsnetThrow("A photograph with pixels must be given.");
  }
  const NPSNet::ConstPointer network = m_Implementation->GetNetwork();
  StageProgress              progress(progressFunction);
  FundusResult               result;
  const std::string          fileName = photograph->GetFileName();
  result.Name = options.Name.empty() ? std::filesystem::path(fileName).stem().string() : options.Name;
  result.InputFileName = fileName;
  result.SetPhotograph(photograph);
  result.Network.Name = network->GetMetadata().Name;
  result.Network.Version = network->GetMetadata().Version;
  result.Network.SHA256 = network->GetSHA256();
  result.Network.Licence = network->GetMetadata().Licence;
  result.Network.FileName = std::filesystem::path(network->GetFileName()).filename().string();
  result.Device = network->GetDevice();
  result.Precision = network->GetPrecision();
  try
  {
    const EyeLaterality eye = DetermineEyeLaterality(options.Eye, photograph->GetDICOMLaterality(), fileName);
    result.Eye = eye.Side;
    result.EyeSource = eye.Source;
    const double calibration =
      options.MicrometersPerPixel > 0.0 ? options.MicrometersPerPixel : photograph->GetMicrometersPerPixel();
    result.CalibrationSource = options.MicrometersPerPixel > 0.0 ? "user" : calibration > 0.0 ? "dicom" : "";

    progress.Require(0.0, "locate");
    Stopwatch locating;
    CropPlace place = m_Implementation->FindCrop(photograph, options, result.Localisation);
    result.StageSeconds.emplace_back("locate", locating.Seconds());

    const bool mayRecenter =
      m_Implementation->Settings.Recenter && m_Implementation->Settings.Locate && !options.Side.has_value();
    progress.Require(0.05, "segment");
    Stopwatch segmenting;
    auto      filter = m_Implementation->Segment(photograph, place, progress, 0.05, mayRecenter ? 0.5 : 0.95);
    CropPlace crop = place;
    bool      isTrusted = true;
    CropPlace fitted;
    for (unsigned int pass = 1; mayRecenter && filter->GetReport().Finite; ++pass)
    {
      const bool isDisc = CropAboutDisc(filter->GetBoundary(), fitted);
      // An outline that leaves the photograph is not followed: the next one might be anything.
      const bool isInside = isDisc && photograph->IsInside({ { fitted.Center[0], fitted.Center[1] } });
      const bool isNear = isInside && fitted.Side > 0.25 * crop.Side && fitted.Side < 4.0 * crop.Side;
      isTrusted = isNear && IsWithin(Trusted, crop, fitted);
      // The first pass is never the last: its crop is the locator's.
      if (!isNear || (pass > 1 && IsWithin(Settled, crop, fitted)) || pass == MostPasses)
      {
        break;
      }
      const double done = 0.95 - 0.9 / (pass + 1.0);
      auto         next = m_Implementation->Segment(photograph, fitted, progress, done, 0.95 - 0.9 / (pass + 2.0));
      if (!next->GetReport().Finite || next->GetBoundary()->IsDiscEmpty())
      {
        isTrusted = false;
        break;
      }
      filter = next;
      crop = fitted;
    }
    result.StageSeconds.emplace_back("segment", segmenting.Seconds());
    m_Implementation->Fill(result, filter);

    if (result.Boundary)
    {
      progress.Require(0.95, "measure");
      Stopwatch                                 measuring;
      FundusPhotograph::LabelImageType::Pointer labels = filter->GetOutput();
      labels->DisconnectPipeline();
      result.Labels = labels;
      result.Valid = NestedLabelValidity::Check(labels, result.Boundary->GetAnchor()).IsValid();
      auto calculator = RimMeasurementCalculator::New();
      calculator->SetEye(result.Eye);
      calculator->SetMicrometersPerPixel(calibration);
      calculator->SetPhotograph(photograph->GetImage());
      result.Measurements = calculator->Compute(result.Boundary);
      if (result.Measurements.DiscCentroid && !photograph->IsInside(*result.Measurements.DiscCentroid))
      {
        throw NotFoundError();
      }
      if (!place.Certain || !isTrusted || (place.Found && IsAnotherPlace(result.Measurements, *place.Found)))
      {
        auto & flags = result.Measurements.Flags;
        flags.insert(flags.begin(), RimQualityFlagEnum::UncertainLocation);
      }
      result.Status = FundusStatusEnum::Ok;
      for (const auto flag : result.Measurements.Flags)
      {
        if (flag != RimQualityFlagEnum::EmptyCup)
        {
          result.Status = FundusStatusEnum::LowConfidence;
          result.Message += (result.Message.empty() ? "" : " ") + RimQualityFlagToSentence(flag);
        }
      }
      result.StageSeconds.emplace_back("measure", measuring.Seconds());
    }
    progress.Report(1.0, "done");
  }
  catch (const ProcessAborted &)
  {
    throw;
  }
  catch (const NotFoundError &)
  {
    result.Status = FundusStatusEnum::NotFound;
    result.Message = options.Center
                       ? NothingAboutTheCenter
                       : "No optic nerve head was found in the photograph: check it, or give its centre (--center X,Y; "
                         "for a batch the columns center_x and center_y of a table).";
    RemoveSegmentation(result);
  }
  catch (const std::exception & error)
  {
    result.Status = FundusStatusEnum::Failed;
    result.Message = ExceptionSentence(error);
    RemoveSegmentation(result);
  }
  result.Seconds = total.Seconds();
  return result;
}

void FundusPhotographAnalyzer::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  const FundusAnalyzerSettings & settings = m_Implementation->Settings;
  os << indent << "ModelFile: " << settings.ModelFile << std::endl;
  os << indent << "LocatorFile: " << settings.LocatorFile << std::endl;
  os << indent << "TTAMode: " << settings.TTAMode << std::endl;
  os << indent << "Engine: " << settings.Engine << std::endl;
  os << indent << "Device: " << settings.Device << std::endl;
  os << indent << "Precision: " << settings.Precision << std::endl;
  os << indent << "Locate: " << (settings.Locate ? "On" : "Off") << std::endl;
  os << indent << "Recenter: " << (settings.Recenter ? "On" : "Off") << std::endl;
}
} // namespace itk
