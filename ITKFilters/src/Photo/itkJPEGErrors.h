// SPDX-License-Identifier: Apache-2.0
#ifndef itkJPEGErrors_h
#define itkJPEGErrors_h

#include "itkMacro.h"

#include <csetjmp>
#include <cstdio>

#include "itk_jpeg.h"

namespace itk
{
/** What libjpeg complains about, kept instead of printed, and where to go on after an error instead of exit().
 *
 * Between setjmp(state.Jump) and the end of libjpeg's work there may be plain data only: longjmp skips destructors. */
struct JPEGErrors
{
  jpeg_error_mgr Manager{}; // first: libjpeg hands back a pointer to it
  jmp_buf        Jump{};
  char           Message[JMSG_LENGTH_MAX]{};
  bool           EndsEarly{ false };
  bool           Damaged{ false };

  /** For the member err of libjpeg's structs. */
  jpeg_error_mgr * Prepare();
};
} // namespace itk

#endif
