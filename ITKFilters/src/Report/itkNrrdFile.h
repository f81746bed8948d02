// SPDX-License-Identifier: Apache-2.0
#ifndef itkNrrdFile_h
#define itkNrrdFile_h

#include "itkAtomicFile.h"
#include "itkImageFileWriter.h"
#include "itkNrrdImageIO.h"
#include "itk_zlib.h"

#include <cerrno>
#include <cstdint>
#include <fstream>

namespace itk
{
/** Whether the compressed pixels at the end of a file are whole: NrrdImageIO does not look whether the last bytes of
 * its buffer found room. A gzip stream ends with the sum and the size of what it holds. */
template <typename TImage>
bool EndsWithPixels(const std::string & fileName, const TImage * image)
{
  const auto    size = static_cast<std::uint32_t>(image->GetPixelContainer()->Size());
  const auto    sum = static_cast<std::uint32_t>(crc32(0, image->GetBufferPointer(), size));
  std::ifstream stream(fileName, std::ios::binary);
  stream.seekg(-8, std::ios::end);
  for (const std::uint32_t number : { sum, size })
  {
    for (unsigned int shift = 0; shift < 32; shift += 8)
    {
      if (stream.get() != static_cast<int>((number >> shift) & 255U))
      {
        return false;
      }
    }
  }
  return true;
}

/** Compressed. */
template <typename TImage>
void FillWithNrrd(const AtomicFile & file, const TImage * image)
{
  const auto writer = ImageFileWriter<TImage>::New();
  writer->SetImageIO(NrrdImageIO::New());
  writer->SetInput(image);
  writer->SetFileName(file.GetTemporaryName());
  writer->UseCompressionOn();
  errno = 0;
  try
  {
    writer->Update();
  }
  catch (const ExceptionObject &)
  {
    file.ThrowCannotWrite(errno);
  }
  const int reason = errno;
  if (!EndsWithPixels(file.GetTemporaryName(), image))
  {
    file.ThrowCannotWrite(reason);
  }
}
} // namespace itk

#endif
