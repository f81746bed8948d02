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

/// The result of itk::FundusResult::ToJSON() with its pixels again: the photograph, and the boundary's labels.
itk::FundusResult CompleteResult(const std::string& text, const itk::FundusPhotograph* photograph);
} // namespace npsnet

#endif
