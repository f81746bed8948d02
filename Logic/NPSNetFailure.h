// SPDX-License-Identifier: Apache-2.0
#ifndef NPSNetFailure_h
#define NPSNetFailure_h

#include <stdexcept>
#include <string>

namespace npsnet
{
/// A failure with its vtkSlicerNPSNetSegmentationLogic::ReturnCode; only the methods of the logic catch it.
class Failure : public std::runtime_error
{
public:
  Failure(int code, const std::string& message)
      : std::runtime_error(message)
      , Code(code)
  {
  }
  int Code;
};
} // namespace npsnet

#endif
