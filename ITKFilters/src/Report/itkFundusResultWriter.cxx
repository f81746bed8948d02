// SPDX-License-Identifier: Apache-2.0
#include "itkFundusResultWriter.h"

#include "itkAtomicFile.h"
#include "itkFundusOverlay.h"
#include "itkLabelMapFile.h"
#include "itkNPSNetThrow.h"
#include "itkPNGEncoder.h"
#include "itkReportHTML.h"
#include "itkRimCSV.h"
#include "itkSlicerSegmentationFile.h"

#include <deque>
#include <filesystem>
#include <future>
#include <system_error>

namespace itk
{
namespace
{
void RemoveOutlines(const std::string & stem)
{
  for (const FundusFileEnum file : AllFundusFiles())
  {
    if (file != FundusFileEnum::Metrics)
    {
      AtomicFile::Remove(stem + FundusFileEnding(file));
    }
  }
}

/** In the geometry the file was stored in. */
FundusPhotograph::StoredLabelImageType::Pointer StoredLabels(const FundusResult & result)
{
  if (result.Labels.IsNull())
  {
    npsnetThrow("There are no labels of " << result.Name << " to write.");
  }
  if (result.Photograph.IsNull() || result.Photograph->GetImage() == nullptr)
  {
    npsnetThrow("The labels of " << result.Name << " cannot be written: the result carries no photograph.");
  }
  return result.Photograph->UprightToStoredLabels(result.Labels);
}

void Fill(const AtomicFile & target, FundusFileEnum file, const FundusResult & result)
{
  switch (file)
  {
    case FundusFileEnum::Labels:
      return FillWithLabelMap(target, StoredLabels(result));
    case FundusFileEnum::Segmentation:
      return FillWithSlicerSegmentation(target, StoredLabels(result), result.Eye);
    case FundusFileEnum::RimTable:
      return target.Fill(
        RimCSV(result.Measurements, std::filesystem::path(target.GetFileName()).extension() == ".tsv" ? '\t' : ','));
    case FundusFileEnum::Overlay:
      return target.Fill(EncodePNG(FundusOverlay::Draw(result)));
    case FundusFileEnum::Report:
      return target.Fill(ReportHTML(result));
    case FundusFileEnum::Metrics:
      return target.Fill(result.ToJSON());
  }
}
} // namespace

void FundusResultWriter::SetFiles(const std::set<FundusFileEnum> & files)
{
  if (m_Files != files)
  {
    m_Files = files;
    this->Modified();
  }
}

void FundusResultWriter::RemoveEarlier(const std::string & directory, const std::string & name)
{
  const std::string stem = (std::filesystem::path(directory) / name).string();
  const std::string metrics = stem + FundusFileEnding(FundusFileEnum::Metrics);
  std::error_code   error;
  if (std::filesystem::is_regular_file(metrics, error))
  {
    RemoveOutlines(stem);
    AtomicFile::Remove(metrics);
  }
}

std::vector<std::string> FundusResultWriter::Write(const FundusResult & result) const
{
  if (result.Name.empty())
  {
    npsnetThrow("A result without a name cannot be written: set FundusResult::Name to the stem of its files.");
  }
  std::error_code error;
  std::filesystem::create_directories(m_OutputDirectory, error);
  if (error)
  {
    npsnetThrow("Cannot make the folder " << m_OutputDirectory << " (" << error.message() << ").");
  }

  const std::string      stem = (std::filesystem::path(m_OutputDirectory) / result.Name).string();
  const bool             photograph = result.Photograph.IsNotNull() && result.Photograph->GetImage() != nullptr;
  std::deque<AtomicFile> targets;
  std::future<void>      overlay; // after `targets`: an exception waits for it before its file goes
  for (const FundusFileEnum file : m_Files)
  {
    const bool isOverlay = file == FundusFileEnum::Overlay;
    if (file != FundusFileEnum::Metrics && (!result.HasSegmentation() || (isOverlay && !photograph)))
    {
      continue;
    }
    const AtomicFile & target = targets.emplace_back(stem + FundusFileEnding(file));
    if (isOverlay) // costs as much as all the rest: made beside it
    {
      overlay = std::async(std::launch::async, [&target, &result] { Fill(target, FundusFileEnum::Overlay, result); });
    }
    else
    {
      Fill(target, file, result);
    }
  }
  if (overlay.valid())
  {
    overlay.get();
  }

  if (!result.HasSegmentation())
  {
    RemoveOutlines(stem);
  }
  // The metrics come last: when they are there, all the rest is.
  std::vector<std::string> written;
  for (AtomicFile & target : targets)
  {
    target.Commit();
    written.push_back(target.GetFileName());
  }
  return written;
}

void FundusResultWriter::WriteFile(const FundusResult & result, FundusFileEnum file, const std::string & fileName)
{
  AtomicFile target(fileName);
  Fill(target, file, result);
  target.Commit();
}

void FundusResultWriter::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "OutputDirectory: " << m_OutputDirectory << std::endl;
  os << indent << "Files:";
  for (const FundusFileEnum file : m_Files)
  {
    os << ' ' << FundusFileEnding(file);
  }
  os << std::endl;
}
} // namespace itk
