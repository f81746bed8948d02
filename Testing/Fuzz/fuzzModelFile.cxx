// SPDX-License-Identifier: Apache-2.0
// Model files: the authors' PyTorch checkpoints (zip + pickle) and our own format.
#include "itkMacro.h"
#include "itkNPSNetModelFile.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  const int file = memfd_create("model", MFD_CLOEXEC);
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size))
  {
    close(file);
    return 0;
  }
  try
  {
    const itk::NPSNetModelFile model("/proc/self/fd/" + std::to_string(file));
    model.GetShapes();
  }
  catch (const itk::ExceptionObject&) // a sentence is the only right answer to a bad file
  {
  }
  close(file);
  return 0;
}
