// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetMemory_h
#define npsnetMemory_h

namespace npsnet
{
/// Memory that a layer of the network gives back stays with the process for the next layer. glibc would return blocks
/// of many megabytes to the kernel, which has to clear them again a moment later: a fifth of the time of a training.
/// For programs of their own only; a library has no business with its host's allocator.
void KeepFreedMemory();
} // namespace npsnet

#endif
