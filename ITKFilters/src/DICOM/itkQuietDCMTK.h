// SPDX-License-Identifier: Apache-2.0
#ifndef itkQuietDCMTK_h
#define itkQuietDCMTK_h

#include "itkMacro.h"

#include "dcmtk/config/osconfig.h"
#include "dcmtk/oflog/oflog.h"

namespace itk
{
/** \class QuietDCMTK
 * \brief While it lives, DCMTK writes nothing to the terminal: what goes wrong comes as an exception.
 * \ingroup NPSNet
 */
class QuietDCMTK
{
public:
  QuietDCMTK()
    : m_Logger(dcmtk::log4cplus::Logger::getRoot())
    , m_Level(m_Logger.getLogLevel())
  {
    m_Logger.setLogLevel(dcmtk::log4cplus::OFF_LOG_LEVEL);
  }
  ~QuietDCMTK() { m_Logger.setLogLevel(m_Level); }
  QuietDCMTK(const QuietDCMTK &) = delete;
  QuietDCMTK & operator=(const QuietDCMTK &) = delete;

private:
  dcmtk::log4cplus::Logger   m_Logger;
  dcmtk::log4cplus::LogLevel m_Level;
};
} // namespace itk

#endif
