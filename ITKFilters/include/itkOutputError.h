// SPDX-License-Identifier: Apache-2.0
#ifndef itkOutputError_h
#define itkOutputError_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <cerrno>
#include <string>

namespace itk
{
/** \class OutputError
 * \brief What was asked for cannot be written: the place is read-only, full, or in use by another run.
 *
 * The description is one sentence. GetErrorNumber() is the system's reason (errno), 0 where it is unknown.
 * \ingroup NPSNet
 */
class NPSNet_EXPORT OutputError : public ExceptionObject
{
public:
  explicit OutputError(const std::string & sentence, int errorNumber = 0)
    : ExceptionObject(__FILE__, __LINE__, sentence)
    , m_ErrorNumber(errorNumber)
  {}
  const char * GetNameOfClass() const override { return "OutputError"; }

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
