// SPDX-License-Identifier: Apache-2.0
#include "npsnetIdentifiers.h"

#include "npsnetMessages.h"

#include "itkAtomicFile.h"
#include "itkGDCMImageIO.h"
#include "itkMetaDataObject.h"

#include <nlohmann/json.hpp>

#include <array>
#include <fstream>
#include <utility>

namespace npsnet
{
namespace
{
constexpr std::array<std::pair<const char*, const char*>, 7> Tags = {{{"0010|0010", "PatientName"},
  {"0010|0020", "PatientID"}, {"0010|0030", "PatientBirthDate"}, {"0008|0050", "AccessionNumber"},
  {"0008|0020", "StudyDate"}, {"0020|000d", "StudyInstanceUID"}, {"0008|0018", "SOPInstanceUID"}}};

std::string Trimmed(const std::string& text)
{
  const std::size_t last = text.find_last_not_of(std::string(" \0", 2));
  return last == std::string::npos ? "" : text.substr(0, last + 1);
}
} // namespace

std::map<std::string, std::string> ReadIdentifiers(const std::string& photo)
{
  auto io = itk::GDCMImageIO::New();
  if (!io->CanReadFile(photo.c_str()))
  {
    return {};
  }
  io->SetFileName(photo);
  io->ReadImageInformation();
  std::map<std::string, std::string> found;
  for (const auto& [tag, keyword] : Tags)
  {
    std::string value;
    if (itk::ExposeMetaData<std::string>(io->GetMetaDataDictionary(), tag, value) && !Trimmed(value).empty())
    {
      found[keyword] = Printable(Trimmed(value));
    }
  }
  return found;
}

void AddIdentifiers(const std::string& photo, const std::string& metricsFile)
{
  const auto identifiers = ReadIdentifiers(photo);
  if (identifiers.empty())
  {
    return;
  }
  std::ifstream file(metricsFile);
  auto metrics = nlohmann::ordered_json::parse(file);
  metrics["identifiers"] = identifiers;
  itk::AtomicFile::Write(metricsFile, metrics.dump(2) + "\n");
}
} // namespace npsnet
