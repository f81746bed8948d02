#include "itkFundusResultWriter.h"

#include "itkAtomicFile.h"
#include "itkFundusOverlay.h"
#include "itkNPSNetThrow.h"
#include "itkPNGEncoder.h"

#include <filesystem>
#include <functional>
#include <future>
#include <system_error>

namespace itk
{
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

  const std::string        stem = (std::filesystem::path(m_OutputDirectory) / result.Name).string();
  std::vector<std::string> written;
  const auto               write = [&written](const std::string & fileName, const std::function<void()> & action) {
    action();
    written.push_back(fileName);
  };

  const bool photograph = result.Photograph.IsNotNull() && result.Photograph->GetImage() != nullptr;
  // The overlay costs as much as all the rest: it is made beside it.
  std::future<void> overlay;
  if (result.HasSegmentation() && photograph && m_WriteOverlay)
  {
    overlay = std::async([&result, fileName = stem + "_overlay.png"] {
      AtomicFile::Write(fileName, EncodePNG(FundusOverlay::Draw(result)));
    });
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
      write(stem + "_labels.nrrd", [&] { FundusResultWriter::WriteLabelMap(stored, stem + "_labels.nrrd"); });
    }
    if (m_WriteSegmentation)
    {
      write(stem + ".seg.nrrd",
            [&] { FundusResultWriter::WriteSlicerSegmentation(stored, result.Eye, stem + ".seg.nrrd"); });
    }
  }
  if (result.HasSegmentation() && m_WriteRimTable)
  {
    write(stem + "_rim.csv",
          [&] { AtomicFile::Write(stem + "_rim.csv", FundusResultWriter::ToRimCSV(result.Measurements)); });
  }
  if (result.HasSegmentation() && m_WriteReport)
  {
    write(stem + "_report.html",
          [&] { AtomicFile::Write(stem + "_report.html", FundusResultWriter::ToReportHTML(result)); });
  }
  if (overlay.valid())
  {
    write(stem + "_overlay.png", [&] { overlay.get(); });
  }
  // Last: when the metrics are there, all the rest is.
  if (m_WriteMetrics)
  {
    write(stem + "_metrics.json",
          [&] { AtomicFile::Write(stem + "_metrics.json", FundusResultWriter::ToMetricsJSON(result)); });
  }
  return written;
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
