// SPDX-License-Identifier: Apache-2.0
#include "npsnetMessageChannel.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace npsnet
{
FileDescriptor::~FileDescriptor()
{
  if (this->Value >= 0)
  {
    close(this->Value);
  }
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept
{
  if (this != &other)
  {
    if (this->Value >= 0)
    {
      close(this->Value);
    }
    this->Value = other.Release();
  }
  return *this;
}

int FileDescriptor::Release()
{
  return std::exchange(this->Value, -1);
}

MessageChannel::MessageChannel(FileDescriptor socket)
    : Socket(std::move(socket))
{
}

bool MessageChannel::Send(const nlohmann::json& message, int attachedFile, int timeoutMilliseconds)
{
  const std::vector<std::uint8_t> body = nlohmann::json::to_cbor(message);
  const auto size = static_cast<std::uint32_t>(body.size());
  std::string bytes(sizeof(size), '\0');
  std::memcpy(bytes.data(), &size, sizeof(size));
  bytes.append(body.begin(), body.end());

  std::size_t done = 0;
  while (done < bytes.size())
  {
    iovec vector = {bytes.data() + done, bytes.size() - done};
    msghdr header = {};
    header.msg_iov = &vector;
    header.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    if (attachedFile >= 0 && done == 0)
    {
      header.msg_control = control;
      header.msg_controllen = sizeof(control);
      cmsghdr* item = CMSG_FIRSTHDR(&header);
      item->cmsg_level = SOL_SOCKET;
      item->cmsg_type = SCM_RIGHTS;
      item->cmsg_len = CMSG_LEN(sizeof(int));
      std::memcpy(CMSG_DATA(item), &attachedFile, sizeof(int));
    }
    const ssize_t sent = sendmsg(this->Socket.Get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0)
    {
      done += static_cast<std::size_t>(sent);
      continue;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK)
    {
      pollfd item = {this->Socket.Get(), POLLOUT, 0};
      const int ready = poll(&item, 1, timeoutMilliseconds);
      if (ready > 0 || (ready < 0 && errno == EINTR))
      {
        continue;
      }
      return false;
    }
    if (errno != EINTR)
    {
      return false;
    }
  }
  return true;
}

bool MessageChannel::Receive()
{
  while (true)
  {
    char bytes[1 << 16];
    iovec vector = {bytes, sizeof(bytes)};
    alignas(cmsghdr) char control[CMSG_SPACE(4 * sizeof(int))] = {};
    msghdr header = {};
    header.msg_iov = &vector;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof(control);
    const ssize_t got = recvmsg(this->Socket.Get(), &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0 && errno == EINTR)
    {
      continue;
    }
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
    {
      return this->Buffer.size() <= MaximumMessageSize;
    }
    for (cmsghdr* item = CMSG_FIRSTHDR(&header); got > 0 && item; item = CMSG_NXTHDR(&header, item))
    {
      if (item->cmsg_level == SOL_SOCKET && item->cmsg_type == SCM_RIGHTS)
      {
        const std::size_t count = (item->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i)
        {
          int file = -1;
          std::memcpy(&file, CMSG_DATA(item) + i * sizeof(int), sizeof(int));
          this->Files.emplace_back(file);
        }
      }
    }
    if (got <= 0)
    {
      return false;
    }
    this->Buffer.append(bytes, static_cast<std::size_t>(got));
    if (this->Buffer.size() > MaximumMessageSize)
    {
      return false;
    }
  }
}

std::optional<std::string> MessageChannel::NextMessage()
{
  std::uint32_t size = 0;
  if (this->Buffer.size() < sizeof(size))
  {
    return {};
  }
  std::memcpy(&size, this->Buffer.data(), sizeof(size));
  if (this->Buffer.size() < sizeof(size) + size)
  {
    return {};
  }
  std::string body = this->Buffer.substr(sizeof(size), size);
  this->Buffer.erase(0, sizeof(size) + size);
  return body;
}

FileDescriptor MessageChannel::TakeFile()
{
  if (this->Files.empty())
  {
    return FileDescriptor();
  }
  FileDescriptor file = std::move(this->Files.front());
  this->Files.pop_front();
  return file;
}

bool MessageChannel::Wait(nlohmann::json& message)
{
  bool open = true;
  while (true)
  {
    if (const std::optional<std::string> body = this->NextMessage())
    {
      message = nlohmann::json::from_cbor(*body, true, false);
      return !message.is_discarded();
    }
    if (!open)
    {
      return false;
    }
    pollfd item = {this->Socket.Get(), POLLIN, 0};
    if (poll(&item, 1, -1) < 0 && errno != EINTR)
    {
      return false;
    }
    open = this->Receive();
  }
}
} // namespace npsnet
