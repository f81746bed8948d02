// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetPhotoMessage_h
#define npsnetPhotoMessage_h

#include "npsnetMessageChannel.h"

#include "itkFundusPhotograph.h"
#include "itkFundusResult.h"

#include <nlohmann/json.hpp>

namespace npsnet
{
/// The photograph for another process: what is known about it as a message, its pixels in memory that both share.
nlohmann::json PhotographToMessage(const itk::FundusPhotograph& photograph, FileDescriptor& pixels);

/// The memory stays mapped as long as the photograph's image lives. Throws std::runtime_error when pixels and message
/// do not fit.
itk::FundusPhotograph::Pointer PhotographFromMessage(const nlohmann::json& message, const FileDescriptor& pixels);

/// A result without what the other side has or can compute from the boundary: photograph, labels, measurements.
nlohmann::json ResultToMessage(const itk::FundusResult& result);

/// Completes the result: labels and measurements come from the boundary, by the same code as in the analysis.
itk::FundusResult ResultFromMessage(const nlohmann::json& message, const itk::FundusPhotograph* photograph);
} // namespace npsnet

#endif
