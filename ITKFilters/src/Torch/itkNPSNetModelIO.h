#ifndef itkNPSNetModelIO_h
#define itkNPSNetModelIO_h

#include "NPSNetTorchExport.h"
#include "itkMacro.h"
#include "itkNPSNetModelFile.h"
#include "itkTorchModuleState.h"

#include <torch/torch.h>

#include <string>

/** \file Tensors of model files; the checks are those of NPSNetModelFile. */
namespace itk
{
using NPSNetStateType = TorchModuleState;

/** Copies of all tensors with the element types of the file. */
NPSNetTorch_EXPORT NPSNetStateType ReadNPSNetState(const NPSNetModelFile & file);

/** The same without copying where the bytes of the file are aligned: valid as long as \a file. */
NPSNetTorch_EXPORT NPSNetStateType BorrowNPSNetState(const NPSNetModelFile & file);

/** Any safetensors file or PyTorch checkpoint, also one that is no network of ours. */
NPSNetTorch_EXPORT NPSNetStateType ReadTensors(const std::string & fileName);

/** Writes our format, atomically. Floating point tensors are stored as fp16 or fp32; Created and TensorSHA256 of the
 * metadata are filled in (Created only when empty). Throws itk::ExceptionObject when a value does not survive fp16. */
NPSNetTorch_EXPORT void WriteNPSNetModel(const std::string &         fileName,
                                         const NPSNetModelMetadata & metadata,
                                         const NPSNetStateType &     state,
                                         bool                        halfPrecision);
} // namespace itk

#endif
