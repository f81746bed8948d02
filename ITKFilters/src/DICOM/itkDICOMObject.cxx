// SPDX-License-Identifier: Apache-2.0
#include "itkDICOMObject.h"

#include "itkDICOMStructure.h"
#include "itkMappedFile.h"
#include "itkNPSNetThrow.h"
#include "itkSHA256.h"

#include "dcmtk/config/osconfig.h"
#include "dcmtk/dcmdata/dctk.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <system_error>

namespace itk
{
namespace
{
/** Values longer than this stay in the file until they are asked for. */
constexpr Uint32 LongestValueInMemory = 4096;

std::string Trimmed(const OFString & text)
{
  const auto last = text.find_last_not_of(" ");
  return last == OFString_npos ? std::string() : std::string(text.c_str(), last + 1);
}
} // namespace

struct DICOMObject::Implementation
{
  DcmFileFormat File;
};

DICOMObject::DICOMObject(const std::string & fileName, Part part)
  : m_FileName(fileName)
  , m_Implementation(std::make_unique<Implementation>())
{
  {
    const MappedFile bytes(fileName);
    if (IsDICOMTooDeep(bytes.GetData(), bytes.GetSize()))
    {
      npsnetThrow(fileName << " is damaged (sequences without end): copy or export it again.");
    }
  }
  DcmFileFormat &   file = m_Implementation->File;
  const OFFilename  name(fileName.c_str());
  const OFCondition condition =
    part == Part::Whole
      ? file.loadFile(name)
      : file.loadFileUntilTag(name, EXS_Unknown, EGL_noChange, LongestValueInMemory, ERM_fileOnly, DCM_PixelData);
  if (condition.bad())
  {
    npsnetThrow(fileName << " cannot be read as DICOM (" << condition.text() << "): copy or export it again.");
  }
}

DICOMObject::~DICOMObject() = default;

DcmDataset & DICOMObject::GetDataset() const
{
  return *m_Implementation->File.getDataset();
}

std::string DICOMObject::GetText(const DcmTagKey & tag) const
{
  OFString value;
  this->GetDataset().findAndGetOFString(tag, value);
  return Trimmed(value);
}

unsigned int DICOMObject::GetNumber(const DcmTagKey & tag) const
{
  Uint16 value = 0;
  if (this->GetDataset().findAndGetUint16(tag, value).good())
  {
    return value;
  }
  Sint32 text = 0;
  return this->GetDataset().findAndGetSint32(tag, text).good() && text > 0 ? static_cast<unsigned int>(text) : 0;
}

void DICOMObject::RequireIdentifiers() const
{
  const std::pair<DcmTagKey, const char *> needed[] = { { DCM_SOPClassUID, "SOP Class UID" },
                                                        { DCM_SOPInstanceUID, "SOP Instance UID" },
                                                        { DCM_StudyInstanceUID, "Study Instance UID" },
                                                        { DCM_SeriesInstanceUID, "Series Instance UID" } };
  for (const auto & [tag, name] : needed)
  {
    if (this->GetText(tag).empty())
    {
      npsnetThrow(m_FileName << " has no " << name
                             << ", so nothing can be filed beside it: export it from the archive again.");
    }
  }
}

std::string DICOMObject::DeriveUID(const std::string & purpose) const
{
  return UIDOfText("NPSNetSegmentation\n" + this->GetText(DCM_SOPInstanceUID) + "\n" + purpose);
}

std::string UIDOfText(const std::string & text)
{
  const std::string digest = SHA256::OfBytes(text.data(), text.size());
  // A UUID of version 8 (RFC 9562), written as one decimal number below 2.25 (PS3.5 B.2).
  std::array<unsigned int, 16> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
  {
    bytes[i] = static_cast<unsigned int>(std::stoul(digest.substr(2 * i, 2), nullptr, 16));
  }
  bytes[6] = (bytes[6] & 0x0FU) | 0x80U;
  bytes[8] = (bytes[8] & 0x3FU) | 0x80U;
  std::string decimal;
  while (std::any_of(bytes.begin(), bytes.end(), [](unsigned int b) { return b != 0; }))
  {
    unsigned int rest = 0;
    for (unsigned int & byte : bytes)
    {
      const unsigned int value = rest * 256 + byte;
      byte = value / 10;
      rest = value % 10;
    }
    decimal.insert(decimal.begin(), static_cast<char>('0' + rest));
  }
  return "2.25." + decimal;
}

void RequireGood(const OFCondition & condition, const std::string & what)
{
  if (condition.bad())
  {
    npsnetThrow("The DICOM library refuses " << what << " (" << condition.text() << ").");
  }
}

DICOMTime::DICOMTime()
{
  std::tm      parts{};
  const char * epoch = std::getenv("SOURCE_DATE_EPOCH");
  if (epoch != nullptr)
  {
    const std::time_t seconds = std::strtoll(epoch, nullptr, 10);
    gmtime_r(&seconds, &parts);
  }
  else
  {
    const std::time_t seconds = std::time(nullptr);
    localtime_r(&seconds, &parts);
  }
  char text[16];
  std::strftime(text, sizeof(text), "%Y%m%d", &parts);
  Date = text;
  std::strftime(text, sizeof(text), "%H%M%S", &parts);
  Time = text;
}

void SaveDICOM(DcmDataset & dataset, const std::string & fileName)
{
  const std::filesystem::path place(fileName);
  const std::filesystem::path temporary = place.parent_path() / ("." + place.filename().string() + ".part");
  DcmFileFormat               file(&dataset);
  const OFCondition condition = file.saveFile(OFFilename(temporary.string().c_str()), EXS_LittleEndianExplicit);
  std::error_code   error;
  if (condition.good())
  {
    std::filesystem::rename(temporary, place, error);
  }
  if (condition.bad() || error)
  {
    const std::string reason = condition.bad() ? condition.text() : error.message();
    std::filesystem::remove(temporary, error);
    npsnetThrow("Cannot write " << fileName << ": " << reason << ".");
  }
}
} // namespace itk
