// SPDX-License-Identifier: Apache-2.0
#include "itkJPEGErrors.h"

namespace itk
{
extern "C"
{
  static void OnError(j_common_ptr info)
  {
    auto * state = reinterpret_cast<JPEGErrors *>(info->err);
    info->err->format_message(info, state->Message);
    longjmp(state->Jump, 1);
  }

  static void OnMessage(j_common_ptr info, int level)
  {
    if (level >= 0)
    {
      return; // traces
    }
    auto * state = reinterpret_cast<JPEGErrors *>(info->err);
    switch (info->err->msg_code)
    {
      case JWRN_JPEG_EOF:
        state->EndsEarly = true;
        break;
      case JWRN_HIT_MARKER:
      case JWRN_HUFF_BAD_CODE:
      case JWRN_MUST_RESYNC:
      case JWRN_BOGUS_PROGRESSION:
        state->Damaged = true;
        break;
      default: // harmless: extra bytes, unknown transforms
        break;
    }
  }

  static void OnOutput(j_common_ptr)
  {
    // Standard output and error belong to the program.
  }
}

jpeg_error_mgr * JPEGErrors::Prepare()
{
  jpeg_std_error(&Manager);
  Manager.error_exit = OnError;
  Manager.emit_message = OnMessage;
  Manager.output_message = OnOutput;
  return &Manager;
}
} // namespace itk
