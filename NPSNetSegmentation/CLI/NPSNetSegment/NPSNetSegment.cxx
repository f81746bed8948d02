// SPDX-License-Identifier: Apache-2.0
#include "NPSNetSegmentCLP.h"

#include "npsnetAnalysis.h"
#include "npsnetArchive.h"
#include "npsnetExitCodes.h"
#include "npsnetIdentifiers.h"
#include "npsnetInterrupt.h"
#include "npsnetMessages.h"
#include "npsnetModule.h"
#include "npsnetOptions.h"
#include "npsnetProgress.h"

#include "itkAtomicFile.h"
#include "itkFundusPhotographReader.h"
#include "itkFundusResultWriter.h"
#include "itkInterEyeComparison.h"
#include "itkOutputError.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <stdexcept>

namespace fs = std::filesystem;

namespace
{
const char* const Program = "NPSNetSegment";

/// Files asked for by name.
struct SingleFiles
{
  std::map<itk::FundusFileEnum, std::string> Files;
  std::string Boundary;

  /// What only a photo with outlines has.
  std::vector<std::string> OfOutlines() const
  {
    std::vector<std::string> names{this->Boundary};
    for (const auto& [file, name] : this->Files)
    {
      if (file != itk::FundusFileEnum::Metrics)
      {
        names.push_back(name);
      }
    }
    return names;
  }

  /// Those that such a result has.
  std::vector<std::string> Of(bool withOutlines) const
  {
    std::vector<std::string> names = withOutlines ? this->OfOutlines() : std::vector<std::string>();
    names.push_back(this->Files.at(itk::FundusFileEnum::Metrics));
    names.erase(std::remove(names.begin(), names.end(), std::string()), names.end());
    return names;
  }

  bool Any() const { return !this->Of(true).empty(); }

  void RequireFittingNames() const
  {
    using File = itk::FundusFileEnum;
    npsnet::RequireEnding("--labels", this->Files.at(File::Labels), {".nrrd"});
    npsnet::RequireEnding("--rim-table", this->Files.at(File::RimTable), {".csv", ".tsv"});
    npsnet::RequireEnding("--metrics", this->Files.at(File::Metrics), {".json"});
    npsnet::RequireEnding("--report", this->Files.at(File::Report), {".html", ".htm"});
    npsnet::RequireEnding("--overlay", this->Files.at(File::Overlay), {".png"});
    npsnet::RequireEnding("--segmentation", this->Files.at(File::Segmentation), {".seg.nrrd"});
    npsnet::RequireEnding("--boundary", this->Boundary, {".json"});
  }
};

struct Photo
{
  std::string Path;
  std::string Folder; // of its outputs; empty: none
};

/// STEM of a path; its outputs are named after it.
std::string StemOf(const std::string& path)
{
  fs::path name = fs::path(path).filename();
  if (name.extension() == ".gz")
  {
    name = name.stem();
  }
  return name.stem().string();
}

std::vector<Photo> MakeList(
  const std::vector<std::string>& paths, const std::string& outputDirectory, bool besideThePhoto)
{
  std::vector<Photo> photos;
  std::map<std::string, std::string> outputs; // name of an output -> photo
  for (const std::string& path : paths)
  {
    Photo photo{path, outputDirectory};
    if (photo.Folder.empty() && besideThePhoto)
    {
      const fs::path parent = fs::path(path).parent_path();
      photo.Folder = parent.empty() ? "." : parent.string();
    }
    if (!photo.Folder.empty())
    {
      const std::string output = (fs::path(photo.Folder) / StemOf(path)).lexically_normal().string();
      const auto [place, isNew] = outputs.emplace(output, path);
      if (!isNew)
      {
        throw std::runtime_error(npsnet::Printable(place->second) + " and " + npsnet::Printable(path) +
                                 " would write the same files: use batch, which keeps them apart.");
      }
    }
    photos.push_back(std::move(photo));
  }
  return photos;
}

std::string Ratio(const std::optional<double>& value)
{
  char text[32] = "-";
  if (value)
  {
    std::snprintf(text, sizeof(text), "%.3f", *value);
  }
  return text;
}

/// The photo has no such results now: what an earlier run wrote under these names would pass for them.
void RemoveEarlier(const std::vector<std::string>& files)
{
  for (const std::string& file : files)
  {
    std::error_code error;
    if (!file.empty() && fs::is_regular_file(fs::symlink_status(file, error)) && !fs::remove(file, error))
    {
      throw itk::OutputError("Cannot remove " + file + " of an earlier run: " + error.message() + ".");
    }
  }
}

/// Two lines: what was measured, where it is.
void PrintSummary(const itk::FundusResult& result, const std::string& where)
{
  const itk::RimMeasurements& m = result.Measurements;
  std::cout << npsnet::Printable(result.Name) << ": " << itk::FundusStatusToString(result.Status);
  std::cout << ", eye " << itk::EyeSideToString(result.Eye);
  if (result.HasSegmentation())
  {
    std::cout << ", vCDR " << Ratio(m.VerticalCupToDiscRatio) << ", hCDR " << Ratio(m.HorizontalCupToDiscRatio)
              << ", area CDR " << Ratio(m.AreaCupToDiscRatio) << ", narrowest rim/disc "
              << Ratio(m.MinimumRimToDiscRatio);
  }
  std::cout << "\n  " << (result.Message.empty() ? "" : npsnet::Printable(result.Message) + " ") << where << std::endl;
}

void WriteSingleFiles(const itk::FundusResult& result, const SingleFiles& files, bool keepIdentifiers)
{
  for (const auto& [file, name] : files.Files)
  {
    const bool isMetrics = file == itk::FundusFileEnum::Metrics;
    if (name.empty() || (!isMetrics && !result.HasSegmentation()))
    {
      continue;
    }
    itk::FundusResultWriter::WriteFile(result, file, name);
    if (isMetrics && keepIdentifiers)
    {
      npsnet::AddIdentifiers(result.InputFileName, name);
    }
  }
  if (!result.HasSegmentation())
  {
    RemoveEarlier(files.OfOutlines());
  }
  else if (!files.Boundary.empty() && result.Boundary)
  {
    itk::AtomicFile::Write(files.Boundary, result.Boundary->ToJSON());
  }
}

/// All that was asked for about one photo.
void WriteFiles(const itk::FundusResult& result, const Photo& photo, const SingleFiles& files,
  const npsnet::ArchiveOptions& archive, bool keepIdentifiers)
{
  if (result.Status == itk::FundusStatusEnum::Unreadable)
  {
    if (!photo.Folder.empty())
    {
      itk::FundusResultWriter::RemoveEarlier(photo.Folder, result.Name);
    }
    RemoveEarlier(files.Of(true));
    return;
  }
  if (!photo.Folder.empty())
  {
    auto writer = itk::FundusResultWriter::New();
    writer->SetOutputDirectory(photo.Folder);
    writer->Write(result);
    if (keepIdentifiers)
    {
      npsnet::AddIdentifiers(photo.Path,
        (fs::path(photo.Folder) / (result.Name + itk::FundusFileEnding(itk::FundusFileEnum::Metrics))).string());
    }
    npsnet::WriteArchiveFiles(result, (fs::path(photo.Folder) / result.Name).string(), archive, keepIdentifiers);
  }
  WriteSingleFiles(result, files, keepIdentifiers);
}

/// The files of one photo, for its second line.
std::string WhereItIs(const itk::FundusResult& result, const Photo& photo, const SingleFiles& files)
{
  std::string where = photo.Folder.empty() ? "" : (fs::path(photo.Folder) / (result.Name + "_*")).string();
  for (const std::string& file : files.Of(result.HasSegmentation()))
  {
    where += (where.empty() ? "" : " ") + file;
  }
  return npsnet::Printable(where);
}

/// Two results in any order.
void WriteEyeComparison(const std::vector<itk::FundusResult>& results, const std::string& fileName)
{
  const auto of = [&](itk::EyeSideEnum eye) -> const itk::FundusResult&
  {
    const auto found =
      std::find_if(results.begin(), results.end(), [eye](const itk::FundusResult& r) { return r.Eye == eye; });
    if (found == results.end())
    {
      throw std::runtime_error(
        "--compare-eyes needs a right and a left eye, but none of the two photos is known to be " +
        itk::EyeSideToString(eye) + ": name the files ..._OD and ..._OS.");
    }
    return *found;
  };
  const itk::FundusResult& right = of(itk::EyeSideEnum::OD);
  const itk::FundusResult& left = of(itk::EyeSideEnum::OS);
  itk::AtomicFile::Write(fileName, fs::path(fileName).extension() == ".csv"
                                     ? itk::InterEyeComparison::Compute(right.Measurements, left.Measurements).ToCSV()
                                     : itk::InterEyeComparison::ToHTML(right, left));
}

void MakeFolderOf(const std::string& fileName)
{
  const fs::path parent = fs::path(fileName).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  npsnet::RequireWritableFolder(folder);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
  {
    throw itk::OutputError(
      "The folder " + npsnet::Printable(folder) + " cannot be made: " + error.message() + ". Give another one.");
  }
}

void WriteReturnValues(const std::string& fileName, const itk::FundusResult& result)
{
  const auto number = [](const std::optional<double>& value)
  { return itk::ShortestText(value.value_or(std::numeric_limits<double>::quiet_NaN())); };
  npsnet::WriteReturnParameters(
    fileName, {{"status", itk::FundusStatusToString(result.Status)},
                {"verticalCupToDiscRatio", number(result.Measurements.VerticalCupToDiscRatio)},
                {"horizontalCupToDiscRatio", number(result.Measurements.HorizontalCupToDiscRatio)},
                {"areaCupToDiscRatio", number(result.Measurements.AreaCupToDiscRatio)},
                {"eyeUsed", itk::EyeSideToString(result.Eye)}});
}
itk::FundusPhotograph::Pointer ReadPhotograph(
  const std::string& path, unsigned frame, std::size_t maximumNumberOfPixels)
{
  auto reader = itk::FundusPhotographReader::New();
  reader->SetFileName(path);
  reader->SetFrame(frame);
  reader->SetMaximumNumberOfPixels(maximumNumberOfPixels);
  reader->Update();
  return reader->GetPhotograph();
}
} // namespace

int main(int argc, char* argv[])
{
  PARSE_ARGS;
  using File = itk::FundusFileEnum;
  const SingleFiles files{
    {{File::Labels, outputLabels}, {File::Segmentation, segmentationFile}, {File::RimTable, rimTable},
      {File::Metrics, metricsFile}, {File::Overlay, overlayFile}, {File::Report, reportFile}},
    boundaryFile};
  const bool slicerIsListening = !returnParameterFile.empty();
  return npsnet::RunModule(Program,
    [&]() -> int
    {
      if (inputVolume.empty())
      {
        throw std::runtime_error("no photo is given; see --help.");
      }
      if (files.Any() && inputVolume.size() > 1)
      {
        throw std::runtime_error("outputs by name are for one photo; use --out DIR for several.");
      }
      npsnet::ArchiveOptions archive;
      archive.Segmentation = dicomSegmentation;
      archive.Report = dicomReport;
      archive.Observations = fhirBundle;
      archive.PersonName = signedBy;
      archive.Organization = organization;
      archive.PreviousReport = previousReport;
      npsnet::RequireArchive(archive);
      if ((!outlinesFile.empty() || !previousReport.empty()) && inputVolume.size() > 1)
      {
        throw std::runtime_error("--outlines and --previous-report are for one photo.");
      }
      files.RequireFittingNames();
      for (const std::string& file : files.Of(true))
      {
        std::error_code error;
        if (fs::equivalent(file, inputVolume.front(), error))
        {
          throw std::runtime_error(npsnet::Printable(file) + " is the photo itself: give the output another name.");
        }
      }
      npsnet::RequireEnding("--compare-eyes", eyeComparisonFile, {".html", ".htm", ".csv"});
      if (!eyeComparisonFile.empty() && inputVolume.size() != 2)
      {
        throw std::runtime_error("--compare-eyes takes two photos, one of each eye.");
      }
      npsnet::RequireThreads(numberOfThreads);
      archive.Frame = static_cast<unsigned>(frame);
      auto settings = itk::FundusAnalyzerSettings::FromArguments(
        {"--tta", ttaMode, "--engine", engine, "--device", device, "--precision", precision, "--threads",
          std::to_string(numberOfThreads), "--max_megapixels", std::to_string(maximumMegapixels)});
      settings.ModelFile = outlinesFile.empty() ? npsnet::ResolveModelFile(model) : model;
      settings.Locate = !noLocate;
      const std::vector<Photo> photos =
        MakeList(inputVolume, outputDirectory, archive.Any() || (!files.Any() && !slicerIsListening));
      if (!eyeComparisonFile.empty())
      {
        MakeFolderOf(eyeComparisonFile); // before the work, not after it
      }
      auto analyzer = itk::FundusPhotographAnalyzer::New();
      analyzer->SetSettings(settings);

      int exitCode = npsnet::ExitDone;
      std::vector<itk::FundusResult> bothEyes;
      npsnet::Progress progress(Program, "Segmenting optic disc and cup", slicerIsListening);
      std::size_t done = 0;
      for (; done < photos.size() && !npsnet::IsInterrupted(); ++done)
      {
        const Photo& photo = photos[done];
        const auto report = [&](double fraction, const std::string& stage)
        {
          progress.Report((static_cast<double>(done) + fraction) / static_cast<double>(photos.size()), stage);
          return !npsnet::IsInterrupted();
        };
        itk::FundusPhotographOptions options;
        options.Eye = eye;
        options.MicrometersPerPixel = micrometersPerPixel;
        options.Name = StemOf(photo.Path);
        options.Frame = static_cast<unsigned>(frame);
        itk::FundusPhotograph::Pointer photograph; // for outlines that are given
        itk::FundusResult result;
        try
        {
          npsnet::RequireArchivable(photo.Path, archive);
          if (!outlinesFile.empty())
          {
            photograph = ReadPhotograph(photo.Path, options.Frame, settings.MaximumNumberOfPixels);
          }
        }
        catch (const std::exception& error)
        {
          result.Status = itk::FundusStatusEnum::Unreadable;
          result.Message = npsnet::Sentence(error);
        }
        try
        {
          if (photograph)
          {
            result = npsnet::MeasureOutlines(photograph, outlinesFile, eye, micrometersPerPixel);
          }
          else if (result.Message.empty())
          {
            result = analyzer->Analyze(photo.Path, options, report,
              [&](const itk::FundusPhotograph& read, itk::FundusPhotographOptions& about)
              { npsnet::ApplyPlacement(center, regionOfInterest, read, about); });
          }
        }
        catch (const itk::ProcessAborted&)
        {
          break;
        }
        result.Name = options.Name;
        result.InputFileName = photo.Path;
        progress.Clear();

        WriteReturnValues(returnParameterFile, result);
        try
        {
          WriteFiles(result, photo, files, archive, keepIdentifiers);
        }
        catch (const std::exception& error)
        {
          npsnet::PrintError(Program, npsnet::Printable(npsnet::Sentence(error)));
          return npsnet::ExitOutput;
        }
        if (result.Status == itk::FundusStatusEnum::Unreadable)
        {
          npsnet::PrintError(Program, npsnet::SentenceAbout(photo.Path, result.Message));
          exitCode = npsnet::MoreSerious(exitCode, npsnet::ExitUsage);
          continue;
        }
        if (!result.HasSegmentation())
        {
          npsnet::PrintError(Program, npsnet::SentenceAbout(photo.Path, result.Message));
          exitCode = npsnet::MoreSerious(exitCode, npsnet::ExitNotAllGood);
        }
        if (!slicerIsListening)
        {
          PrintSummary(result, WhereItIs(result, photo, files));
        }
        if (!eyeComparisonFile.empty() && result.HasSegmentation())
        {
          bothEyes.push_back(std::move(result));
        }
      }
      if (done < photos.size())
      {
        progress.Clear();
        npsnet::PrintError(Program, npsnet::StoppedAfter(done, photos.size()));
        return npsnet::ExitInterrupted;
      }
      if (bothEyes.size() == 2)
      {
        WriteEyeComparison(bothEyes, eyeComparisonFile);
      }
      else if (!eyeComparisonFile.empty())
      {
        RemoveEarlier({eyeComparisonFile});
        npsnet::PrintError(Program,
          npsnet::Printable(eyeComparisonFile) + " was not written, since it needs the outlines of both eyes.");
      }
      return npsnet::ExitCodeWithAnswers(Program, exitCode);
    });
}
