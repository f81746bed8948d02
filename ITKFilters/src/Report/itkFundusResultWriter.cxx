// SPDX-License-Identifier: Apache-2.0
#include "itkFundusResultWriter.h"

#include "itkFundusLabelWriters.h"
#include "itkFundusOverlay.h"
#include "itkNPSNetThrow.h"
#include "itkPNGEncoder.h"

#include <deque>
#include <filesystem>
#include <future>
#include <system_error>

namespace itk
{
namespace
{
constexpr const char * MetricsEnding = "_metrics.json";

void RemoveOutlines(const std::string & stem)
{
  for (const std::string & ending : FundusResultWriter::GetEndings())
  {
    if (ending != MetricsEnding)
    {
      AtomicFile::Remove(stem + ending);
    }
  }
}
} // namespace

const std::vector<std::string> & FundusResultWriter::GetEndings()
{
  static const std::vector<std::string> endings{ "_labels.nrrd", ".seg.nrrd",    "_rim.csv",
                                                 MetricsEnding,  "_overlay.png", "_report.html" };
  return endings;
}

void FundusResultWriter::RemoveEarlier(const std::string & directory, const std::string & name)
{
  const std::string stem = (std::filesystem::path(directory) / name).string();
  std::error_code   error;
  if (std::filesystem::is_regular_file(stem + MetricsEnding, error))
  {
    RemoveOutlines(stem);
    AtomicFile::Remove(stem + MetricsEnding);
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
  std::deque<AtomicFile> files;
  const auto             add = [&](const char * ending) -> AtomicFile & { return files.emplace_back(stem + ending); };

  const bool photograph = result.Photograph.IsNotNull() && result.Photograph->GetImage() != nullptr;
  // The overlay costs as much as all the rest: it is made beside it.
  std::future<void> overlay;
  if (result.HasSegmentation() && photograph && m_WriteOverlay)
  {
    overlay = std::async([&result, &file = add("_overlay.png")] { file.Fill(EncodePNG(FundusOverlay::Draw(result))); });
  }
  if (result.HasSegmentation() && (m_WriteLabels || m_WriteSegmentation))
  {
    if (!photograph)
    {
      npsnetThrow("The labels of " << result.Name << " cannot be written: the result carries no photograph.");
    }
    const auto stored = result.Photograph->UprightToStoredLabels(result.Labels);
    if (m_WriteLabels)
    {
      FillWithLabelMap(add("_labels.nrrd"), stored);
    }
    if (m_WriteSegmentation)
    {
      FillWithSlicerSegmentation(add(".seg.nrrd"), stored, result.Eye);
    }
  }
  if (result.HasSegmentation() && m_WriteRimTable)
  {
    add("_rim.csv").Fill(FundusResultWriter::ToRimCSV(result.Measurements));
  }
  if (result.HasSegmentation() && m_WriteReport)
  {
    add("_report.html").Fill(FundusResultWriter::ToReportHTML(result));
  }
  // Last: when the metrics are there, all the rest is.
  if (m_WriteMetrics)
  {
    add(MetricsEnding).Fill(FundusResultWriter::ToMetricsJSON(result));
  }
  if (overlay.valid())
  {
    overlay.get();
  }

  if (!result.HasSegmentation())
  {
    RemoveOutlines(stem);
  }
  std::vector<std::string> written;
  for (AtomicFile & file : files)
  {
    file.Commit();
    written.push_back(file.GetFileName());
  }
  return written;
}

void FundusResultWriter::WriteOverlayPNG(const FundusResult & result, const std::string & fileName)
{
  AtomicFile::Write(fileName, EncodePNG(FundusOverlay::Draw(result)));
}

void FundusResultWriter::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "OutputDirectory: " << m_OutputDirectory << std::endl;
  os << indent << "WriteLabels: " << m_WriteLabels << std::endl;
  os << indent << "WriteSegmentation: " << m_WriteSegmentation << std::endl;
  os << indent << "WriteRimTable: " << m_WriteRimTable << std::endl;
  os << indent << "WriteMetrics: " << m_WriteMetrics << std::endl;
  os << indent << "WriteOverlay: " << m_WriteOverlay << std::endl;
  os << indent << "WriteReport: " << m_WriteReport << std::endl;
}
} // namespace itk
