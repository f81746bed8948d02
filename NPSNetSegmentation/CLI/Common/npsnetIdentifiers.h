// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetIdentifiers_h
#define npsnetIdentifiers_h

#include <map>
#include <string>

namespace npsnet
{
/// Patient, study and image identifiers of a DICOM file by keyword; empty for any other file.
std::map<std::string, std::string> ReadIdentifiers(const std::string& photo);

/// Adds them to a metrics file as "identifiers". Only ever called when the user asked for it.
void AddIdentifiers(const std::string& photo, const std::string& metricsFile);
} // namespace npsnet

#endif
