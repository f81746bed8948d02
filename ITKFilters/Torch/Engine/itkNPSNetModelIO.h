// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetModelIO_h
#define itkNPSNetModelIO_h

#include "NPSNetTorchExport.h"
#include "itkMacro.h"
#include "itkNPSNetModelFile.h"
#include "itkTorchModuleState.h"

#include <torch/torch.h>

#include <cstdint>
#include <string>

/** \file Tensors of model files; the checks are those of NPSNetModelFile. */
namespace itk
{
using NPSNetStateType = TorchModuleState;

/** How floating point tensors are stored. Int8: weights as bytes, with one factor for each entry of their first axis in
 * a tensor of the same name and ".scale" (weight = byte * scale), everything of one axis or less as fp16. Int6: the
 * same file with bytes of -23 to 23 only, which zip and git pack to seven tenths. */
enum class NPSNetStorageEnum : std::uint8_t
{
  Float32,
  Float16,
  Int8,
  Int6
};

/** Copies of all tensors with the element types of the file; those stored as bytes with a scale become fp32. */
NPSNetTorch_EXPORT NPSNetStateType ReadNPSNetState(const NPSNetModelFile & file);

/** The same without copying where the bytes of the file are aligned: valid as long as \a file. */
NPSNetTorch_EXPORT NPSNetStateType BorrowNPSNetState(const NPSNetModelFile & file);

/** Any safetensors file or PyTorch checkpoint, also one that is not a network of ours. */
NPSNetTorch_EXPORT NPSNetStateType ReadTensors(const std::string & fileName);

/** Writes our format, atomically. Created and TensorSHA256 of the metadata are filled in (Created only when empty).
 * Throws itk::ExceptionObject when a value does not survive the storage. */
NPSNetTorch_EXPORT void WriteNPSNetModel(const std::string &         fileName,
                                         const NPSNetModelMetadata & metadata,
                                         const NPSNetStateType &     state,
                                         NPSNetStorageEnum           storage);
} // namespace itk

#endif
