// SPDX-License-Identifier: Apache-2.0
#ifndef itkFileOutputError_h
#define itkFileOutputError_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <cerrno>
#include <string>

namespace itk
{
/** \class FileOutputError
 * \brief A file cannot be written. GetErrorNumber() is the system's reason (errno), 0 where it is unknown.
 * \ingroup NPSNet
 */
class NPSNet_EXPORT FileOutputError : public ExceptionObject
{
public:
  FileOutputError(const std::string & sentence, int errorNumber)
    : ExceptionObject(__FILE__, __LINE__, sentence)
    , m_ErrorNumber(errorNumber)
  {}
  const char * GetNameOfClass() const override { return "FileOutputError"; }

  int GetErrorNumber() const { return m_ErrorNumber; }

  /** Whether the place is at fault, so that the next file fares no better: full, read-only, damaged. */
  bool ConcernsEveryFile() const
  {
    return m_ErrorNumber == ENOSPC || m_ErrorNumber == EDQUOT || m_ErrorNumber == EROFS || m_ErrorNumber == EFBIG ||
           m_ErrorNumber == EIO;
  }

private:
  int m_ErrorNumber;
};
} // namespace itk

#endif
