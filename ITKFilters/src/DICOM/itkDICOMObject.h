// SPDX-License-Identifier: Apache-2.0
#ifndef itkDICOMObject_h
#define itkDICOMObject_h

#include "itkMacro.h"

#include <memory>
#include <string>

class DcmDataset;
class DcmTagKey;
class OFCondition;

namespace itk
{
/** \class DICOMObject
 * \brief One DICOM file, read with DCMTK up to its pixels or as a whole, with the questions that writers ask of it.
 *
 * Every failure is an itk::ExceptionObject with one sentence that names the file.
 * \ingroup NPSNet
 */
class DICOMObject
{
public:
  enum class Part
  {
    WithoutPixels,
    Whole
  };

  DICOMObject(const std::string & fileName, Part part);
  ~DICOMObject();
  DICOMObject(const DICOMObject &) = delete;
  DICOMObject & operator=(const DICOMObject &) = delete;

  const std::string & GetFileName() const { return m_FileName; }
  /** DCMTK reads through references that are not const. */
  DcmDataset & GetDataset() const;

  /** Empty when the attribute is absent or has no value. */
  std::string GetText(const DcmTagKey & tag) const;
  /** 0 when absent. */
  unsigned int GetNumber(const DcmTagKey & tag) const;

  /** Throws when one of the identifiers that every stored object has is missing. */
  void RequireIdentifiers() const;

  /** An identifier (2.25.…) that follows from this object's and from \a purpose: the same again for the same. */
  std::string DeriveUID(const std::string & purpose) const;

private:
  struct Implementation;
  std::string                     m_FileName;
  std::unique_ptr<Implementation> m_Implementation;
};

/** An identifier (2.25.…) of 122 bits of the text's SHA-256, in the form of a name-based UUID. */
std::string UIDOfText(const std::string & text);

/** Throws a sentence about \a what with DCMTK's reason unless \a condition is good. */
void RequireGood(const OFCondition & condition, const std::string & what);

/** Local time of writing, or SOURCE_DATE_EPOCH (UTC), as DICOM's date (YYYYMMDD) and time (HHMMSS). */
struct DICOMTime
{
  DICOMTime();
  std::string Date;
  std::string Time;
};

/** Stores the dataset under the name, whole or not at all. */
void SaveDICOM(DcmDataset & dataset, const std::string & fileName);
} // namespace itk

#endif
