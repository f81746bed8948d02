// SPDX-License-Identifier: Apache-2.0
#ifndef itkQuietITK_h
#define itkQuietITK_h

#include "itkObject.h"

#include <mutex>

namespace itk
{
/** \class QuietITK
 * \brief While one of these lives, ITK's classes print no warnings.
 *
 * The switch is ITK's only one, for the whole process: the first object turns the warnings off, the last one puts
 * them back, whatever the threads.
 */
class QuietITK
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(QuietITK);

  QuietITK()
  {
    const std::lock_guard<std::mutex> lock(s_Mutex);
    if (s_Users++ == 0)
    {
      s_Before = Object::GetGlobalWarningDisplay();
      Object::SetGlobalWarningDisplay(false);
    }
  }
  ~QuietITK()
  {
    const std::lock_guard<std::mutex> lock(s_Mutex);
    if (--s_Users == 0)
    {
      Object::SetGlobalWarningDisplay(s_Before);
    }
  }

private:
  static inline std::mutex   s_Mutex;
  static inline unsigned int s_Users{ 0 };
  static inline bool         s_Before{ true };
};
} // namespace itk

#endif
