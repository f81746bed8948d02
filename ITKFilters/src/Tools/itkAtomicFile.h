// SPDX-License-Identifier: Apache-2.0
#ifndef itkAtomicFile_h
#define itkAtomicFile_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <string>

namespace itk
{
/** \class NPSNet_EXPORT AtomicFile
 * \brief A file that appears under its name whole or not at all.
 *
 * Write to GetTemporaryName() (same folder, same extension), then Commit(). Without Commit() nothing stays behind.
 * \ingroup NPSNet
 */
class AtomicFile
{
public:
  explicit AtomicFile(const std::string & fileName);
  ~AtomicFile();
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile & operator=(const AtomicFile &) = delete;

  const std::string & GetFileName() const { return m_FileName; }
  const std::string & GetTemporaryName() const { return m_TemporaryName; }
  /** Writes a text to GetTemporaryName(); flush: it is on the disk when this returns. */
  void Fill(const std::string & content, bool flush = false) const;
  void Commit();
  /** For those who write to GetTemporaryName() themselves: an OutputError with the system's reason (errno). */
  [[noreturn]] void ThrowCannotWrite(int errorNumber) const;

  /** All at once for a text, on the disk when it returns: a power cut leaves the old file or the new one. */
  static void Write(const std::string & fileName, const std::string & content);

  /** A file of an earlier run, if there is one. */
  static void Remove(const std::string & fileName);

private:
  std::string m_FileName;
  std::string m_TemporaryName;
};
} // namespace itk

#endif
