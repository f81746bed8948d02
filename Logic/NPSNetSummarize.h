// SPDX-License-Identifier: Apache-2.0
#ifndef NPSNetSummarize_h
#define NPSNetSummarize_h

#include "NPSNetSummary.h"

namespace npsnet
{
struct Report;

NPSNetSummary Summarize(const Report& report);
} // namespace npsnet

#endif
