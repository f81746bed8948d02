// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetMessageChannel_h
#define npsnetMessageChannel_h

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace npsnet
{
/// A file descriptor that closes itself.
class FileDescriptor
{
public:
  explicit FileDescriptor(int value = -1)
      : Value(value)
  {
  }
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept
      : Value(other.Release())
  {
  }
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  int Get() const { return this->Value; }
  int Release();
  explicit operator bool() const { return this->Value >= 0; }

private:
  int Value{-1};
};

/// Messages (CBOR, so that file names may be any bytes) over a local stream socket, each with at most one file
/// descriptor for the pixels. Neither side can make the other wait for the rest of a message.
class MessageChannel
{
public:
  /// A message of this size says that the other side is broken.
  static constexpr std::size_t MaximumMessageSize = 64u << 20;

  explicit MessageChannel(FileDescriptor socket);

  int GetSocket() const { return this->Socket.Get(); }

  /// False when the other side is gone or does not take it within the time.
  bool Send(const nlohmann::json& message, int attachedFile = -1, int timeoutMilliseconds = 10000);

  /// Takes what has arrived, without waiting. False when the other side is gone (or sent garbage) and nothing is left.
  bool Receive();
  /// The next whole message that Receive() has taken; nullptr when there is none.
  std::optional<std::string> NextMessage();
  /// File descriptors arrive in the order of the messages that announce them.
  FileDescriptor TakeFile();

  /// Blocks for the next message; false at the end of the conversation. For the child's side.
  bool Wait(nlohmann::json& message);

private:
  FileDescriptor Socket;
  std::string Buffer;
  std::deque<FileDescriptor> Files;
};
} // namespace npsnet

#endif
