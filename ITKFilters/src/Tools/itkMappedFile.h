// SPDX-License-Identifier: Apache-2.0
#ifndef itkMappedFile_h
#define itkMappedFile_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <cstddef>
#include <string>
#include <vector>

namespace itk
{
/** \class MappedFile
 * \brief The bytes of a file, read-only and mapped into memory where the system can.
 * \ingroup NPSNet
 */
class NPSNet_EXPORT MappedFile
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(MappedFile);

  /** Throws itk::ExceptionObject that names the file when it cannot be read. */
  explicit MappedFile(const std::string & fileName);
  ~MappedFile();

  const std::string &   GetFileName() const { return m_FileName; }
  const unsigned char * GetData() const { return m_Data; }
  std::size_t           GetSize() const { return m_Size; }

private:
  std::string                m_FileName;
  const unsigned char *      m_Data{ nullptr };
  std::size_t                m_Size{ 0 };
  std::vector<unsigned char> m_Copy;
};
} // namespace itk

#endif
