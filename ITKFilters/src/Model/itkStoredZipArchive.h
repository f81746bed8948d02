// SPDX-License-Identifier: Apache-2.0
#ifndef itkStoredZipArchive_h
#define itkStoredZipArchive_h

#include "NPSNetExport.h"
#include "itkMacro.h"
#include "itkMappedFile.h"

#include <map>
#include <memory>
#include <string>

namespace itk
{
/** \class StoredZipArchive
 * \brief Entries of a zip archive whose members are stored uncompressed, as torch.save writes them.
 *
 * Nothing is copied: an entry is a view of the mapped file. Every offset and size of the file is checked
 * against its real size, so that a damaged or hostile archive ends in an exception.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT StoredZipArchive
{
public:
  struct Entry
  {
    const unsigned char * Data;
    std::size_t           Size;
  };

  explicit StoredZipArchive(std::shared_ptr<const MappedFile> file);

  const std::map<std::string, Entry> & GetEntries() const { return m_Entries; }

  /** Null when there is no such entry. */
  const Entry * Find(const std::string & name) const;

  /** Whether the bytes start as a zip archive does. */
  static bool IsZip(const MappedFile & file);

private:
  std::shared_ptr<const MappedFile> m_File;
  std::map<std::string, Entry>      m_Entries;
};
} // namespace itk

#endif
