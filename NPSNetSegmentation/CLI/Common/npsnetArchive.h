// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetArchive_h
#define npsnetArchive_h

#include "itkFundusResult.h"

#include <optional>
#include <string>
#include <vector>

namespace npsnet
{
/// What a photo's results become for the archive, besides the usual files.
struct ArchiveOptions
{
  bool Segmentation{false}; ///< STEM_seg.dcm
  bool Report{false};       ///< STEM_sr.dcm
  bool Observations{false}; ///< STEM_fhir.json
  unsigned int Frame{0};
  std::string PersonName;     ///< who edited and signs
  std::string Organization;   ///< of the person
  std::string PreviousReport; ///< file of the report that this one replaces

  bool NeedsDICOM() const { return this->Segmentation || this->Report; }
  bool Any() const { return this->NeedsDICOM() || this->Observations; }
};

/// "_seg.dcm", "_sr.dcm", "_fhir.json": what follows the stem in their names.
const std::vector<std::string>& GetArchiveEndings();

/// Throws std::runtime_error with a sentence when this build cannot write DICOM objects but should.
void RequireArchive(const ArchiveOptions& options);

/// Throws std::runtime_error with a sentence unless the photo can have what is asked for.
void RequireArchivable(const std::string& photo, const ArchiveOptions& options);

/// Writes STEM_seg.dcm, STEM_sr.dcm and STEM_fhir.json as asked for; \a stem is folder and base name. A photo that is
/// not DICOM gets the last one only. Without outlines what an earlier run wrote goes.
void WriteArchiveFiles(
  const itk::FundusResult& result, const std::string& stem, const ArchiveOptions& options, bool keepIdentifiers);

/// The result of outlines that somebody drew or edited: a DICOM segmentation of this photo, or a label map of it
/// (0 background, 1 rim, 2 cup). \a eye: auto, OD or OS.
itk::FundusResult MeasureOutlines(const itk::FundusPhotograph* photograph, const std::string& outlines,
  const std::string& eye, double micrometersPerPixel);

/// What a DICOM file is. An export of an archive holds segmentations, reports and documents beside photographs.
struct DICOMRole
{
  bool IsPhotograph{true};
  bool IsReport{false}; ///< of optic disc measurements
  std::string SOPInstanceUID;
  std::vector<std::string> Photographs; ///< SOP Instance UIDs of those that it is about
};

/// Empty for files that are not DICOM or cannot be read: these stay inputs, and their row says why.
std::optional<DICOMRole> DescribeDICOM(const std::string& fileName);
} // namespace npsnet

#endif
