// SPDX-License-Identifier: Apache-2.0
#include "itkFundusPhotographAnalyzer.h"

#include "itkExceptionSentence.h"
#include "itkEyeLaterality.h"
#include "itkFundusPhotographReader.h"
#include "itkFundusPlacement.h"
#include "itkModelFiles.h"
#include "itkNPSNet.h"
#include "itkNPSNetImageFilter.h"
#include "itkNPSNetThrow.h"
#include "itkNestedPolarBoundaryToLabelImageFilter.h"
#include "itkRegularizeNestedPolarBoundaryFilter.h"
#include "itkRimMeasurementFilter.h"

#include "itkCommand.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <optional>

namespace itk
{
namespace
{
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

void RemoveSegmentation(FundusResult & result)
{
  result.Boundary = nullptr;
  result.NetworkBoundary = nullptr;
  result.Labels = nullptr;
  result.Valid.reset();
  result.Measurements = RimMeasurements();
  result.Measurements.Eye = result.Eye;
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

bool IsWithin(const CropTolerance & tolerance, const FundusRegion & crop, const FundusRegion & asked)
{
  return std::abs(std::log(asked.Side / crop.Side)) <= tolerance.Side &&
         asked.Center.EuclideanDistanceTo(crop.Center) <= tolerance.Center * crop.Side;
}

/** Whether a measured disc is not the one that was found: apart by its radius, or of half or twice its size. */
bool IsAnotherPlace(const FundusResult & result, const OpticNerveHeadLocator::Location & found)
{
  const RimMeasurements & measured = result.Measurements;
  if (!measured.DiscCentroid || !measured.EquivalentDiscRadius)
  {
    return false;
  }
  const double distance = result.Photograph->IndexToPoint(*measured.DiscCentroid).EuclideanDistanceTo(found.Center);
  const double size = 2.0 * *measured.EquivalentDiscRadius / found.Diameter;
  return distance > 0.5 * found.Diameter || size < 0.5 || size > 2.0;
}

/** One pass of the network and the boundary made whole. */
struct Pass
{
  NPSNetImageFilter::Pointer                   Network;
  RegularizeNestedPolarBoundaryFilter::Pointer Whole;

  const NestedPolarBoundary * GetBoundary() const { return Whole->GetOutput(); }
  bool                        IsFinite() const { return Network->GetReport().Finite; }
  bool                        HasDisc() const { return this->IsFinite() && !this->GetBoundary()->IsDiscEmpty(); }
};

/** An output that outlives its filter. */
template <typename TFilter>
auto Detach(TFilter * filter)
{
  const typename std::remove_pointer_t<decltype(filter->GetOutput())>::Pointer output = filter->GetOutput();
  output->DisconnectPipeline();
  return output;
}
} // namespace

struct FundusPhotographAnalyzer::Implementation
{
  FundusAnalyzerSettings Settings;

  NPSNet::ConstPointer GetNetwork();
  /** Null when no locator model is installed. */
  OpticNerveHeadLocator::ConstPointer GetLocator();
  PolarTTASettings                    GetTTASettings(const NPSNet * network) const;

  Pass Segment(const FundusPhotograph * photograph,
               const FundusRegion &     region,
               StageProgress &          progress,
               double                   from,
               double                   to);

  static void Fill(FundusResult & result, const Pass & pass);

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
  PolarTTASettings settings;
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

Pass FundusPhotographAnalyzer::Implementation::Segment(const FundusPhotograph * photograph,
                                                       const FundusRegion &     region,
                                                       StageProgress &          progress,
                                                       double                   from,
                                                       double                   to)
{
  const auto network = this->GetNetwork();
  Pass       pass{ NPSNetImageFilter::New(), RegularizeNestedPolarBoundaryFilter::New() };
  pass.Network->SetInput(photograph->GetImage());
  pass.Network->SetRegion(region);
  pass.Network->SetNetwork(network);
  pass.Network->SetTTASettings(this->GetTTASettings(network));
  NPSNetImageFilter * observed = pass.Network;
  pass.Network->AddObserver(ProgressEvent(), [observed, &progress, from, to](const EventObject &) {
    if (!progress.Report(from + (to - from) * observed->GetProgress(), "segment"))
    {
      observed->AbortGenerateDataOn();
    }
  });
  pass.Whole->SetInput(pass.Network->GetOutput());
  pass.Whole->SetReferenceImage(photograph->GetImage());
  pass.Whole->Update();
  return pass;
}

void FundusPhotographAnalyzer::Implementation::Fill(FundusResult & result, const Pass & pass)
{
  const FundusRegion & used = pass.Network->GetCropRegion();
  result.CropGeometry = FundusResult::Crop{ result.Photograph->PointToIndex(used.Center),
                                            used.Side,
                                            pass.Network->GetNetwork()->GetArchitecture().CropSize };
  const PolarTTAReport & report = pass.Network->GetReport();
  result.TTA.Mode = PolarTTAModeToString(pass.Network->GetTTASettings().Mode);
  result.TTA.NumberOfHypotheses = static_cast<unsigned int>(report.Entries.size());
  if (!report.Finite)
  {
    result.Status = FundusStatusEnum::Failed;
    result.Message = "The network gave values that are not finite: the weights do not suit this photograph.";
    return;
  }
  result.TTA.Score = report.Entries.at(report.Winner).Score;
  if (!pass.HasDisc())
  {
    result.Status = FundusStatusEnum::NotFound;
    result.Message = NothingAboutTheCenter;
    return;
  }
  result.Boundary = Detach(pass.Whole.GetPointer());
  if (!pass.Whole->IsUntouched())
  {
    result.NetworkBoundary = Detach(pass.Network.GetPointer());
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
                                               const FundusPhotographOptions & given,
                                               const ProgressFunction &        progress,
                                               const PlaceFunction &           place) const
{
  this->Load();
  const Stopwatch         total;
  FundusPhotographOptions options = given;
  auto                    reader = FundusPhotographReader::New();
  try
  {
    reader->SetFileName(fileName);
    reader->SetFrame(options.Frame);
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
  if (place)
  {
    place(*reader->GetPhotograph(), options);
  }
  FundusResult result = this->Analyze(reader->GetPhotograph(), options, progress);
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
    result.Measurements.Eye = eye.Side;
    const double calibration =
      options.MicrometersPerPixel > 0.0 ? options.MicrometersPerPixel : photograph->GetMicrometersPerPixel();
    result.CalibrationSource = options.MicrometersPerPixel > 0.0 ? "user" : calibration > 0.0 ? "dicom" : "";

    progress.Require(0.0, "locate");
    Stopwatch             locating;
    const FundusPlacement placement = FundusPlacement::Find(
      photograph, options, m_Implementation->Settings.Locate, [this] { return m_Implementation->GetLocator(); });
    result.Localisation = placement.Localisation;
    if (!placement.Found)
    {
      throw NotFoundError();
    }
    result.StageSeconds.emplace_back("locate", locating.Seconds());

    progress.Require(0.05, "segment");
    Stopwatch  segmenting;
    const bool again =
      m_Implementation->Settings.Recenter && m_Implementation->Settings.Locate && !options.Side.has_value();
    FundusRegion crop = placement.Region;
    Pass         seen = m_Implementation->Segment(photograph, crop, progress, 0.05, again ? 0.5 : 0.95);
    bool         isTrusted = true;
    FundusRegion fitted;
    for (unsigned int pass = 1; again && seen.IsFinite(); ++pass)
    {
      const bool isDisc = FundusPlacement::FitToDisc(seen.GetBoundary(), fitted);
      // An outline that leaves the photograph is not followed: the next one might be anything.
      const bool isInside = isDisc && photograph->IsInside(photograph->PointToIndex(fitted.Center));
      const bool isNear = isInside && fitted.Side > 0.25 * crop.Side && fitted.Side < 4.0 * crop.Side;
      isTrusted = isNear && IsWithin(Trusted, crop, fitted);
      // The first pass is never the last: its crop is the locator's.
      if (!isNear || (pass > 1 && IsWithin(Settled, crop, fitted)) || pass == MostPasses)
      {
        break;
      }
      const double done = 0.95 - 0.9 / (pass + 1.0);
      const Pass   next = m_Implementation->Segment(photograph, fitted, progress, done, 0.95 - 0.9 / (pass + 2.0));
      if (!next.HasDisc())
      {
        isTrusted = false;
        break;
      }
      seen = next;
      crop = fitted;
    }
    result.StageSeconds.emplace_back("segment", segmenting.Seconds());
    m_Implementation->Fill(result, seen);

    if (result.Boundary)
    {
      progress.Require(0.95, "measure");
      Stopwatch measuring;
      auto      labels = NestedPolarBoundaryToLabelImageFilter::New();
      labels->SetBoundary(result.Boundary);
      labels->SetReferenceImage(photograph->GetImage());
      labels->Update();
      result.Labels = Detach(labels.GetPointer());
      result.Valid = true; // what a boundary made whole promises
      auto measure = RimMeasurementFilter::New();
      measure->SetInput(result.Boundary);
      measure->SetPhotograph(photograph->GetImage());
      measure->SetEye(result.Eye);
      measure->SetMicrometersPerPixel(calibration);
      measure->Update();
      result.Measurements = measure->GetMeasurements();
      if (result.Measurements.DiscCentroid && !photograph->IsInside(*result.Measurements.DiscCentroid))
      {
        throw NotFoundError();
      }
      if (!placement.Certain || !isTrusted || (placement.Other && IsAnotherPlace(result, *placement.Other)))
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
  os << indent << "Settings:";
  for (const std::string & argument : m_Implementation->Settings.ToArguments())
  {
    os << ' ' << argument;
  }
  os << std::endl;
}
} // namespace itk
