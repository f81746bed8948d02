// SPDX-License-Identifier: Apache-2.0
#ifndef itkTrainingOutputError_h
#define itkTrainingOutputError_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <string>

namespace itk
{
/** \class TrainingOutputError
 * \brief A training cannot write to its output folder: it is read-only, or the disk is full.
 * \ingroup NPSNet
 */
class NPSNet_EXPORT TrainingOutputError : public ExceptionObject
{
public:
  explicit TrainingOutputError(const std::string & sentence)
    : ExceptionObject(__FILE__, __LINE__, sentence)
  {}
  const char * GetNameOfClass() const override { return "TrainingOutputError"; }
};
} // namespace itk

#endif
