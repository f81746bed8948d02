// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetPhotoWorker_h
#define npsnetPhotoWorker_h

#include <sys/types.h>

namespace npsnet
{
/// The child process of NPSNetBatch: decodes a photo, keeps it, and writes its outputs when the analysis is done.
int RunPhotoWorker(int socket, pid_t parent);
} // namespace npsnet

#endif
