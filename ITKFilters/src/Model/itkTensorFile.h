// SPDX-License-Identifier: Apache-2.0
#ifndef itkTensorFile_h
#define itkTensorFile_h

#include "NPSNetExport.h"
#include "itkMacro.h"
#include "itkMappedFile.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace itk
{
/** Element types, named as in the safetensors format. */
enum class TensorElementEnum : std::uint8_t
{
  F64,
  F32,
  F16,
  BF16,
  I64,
  I32,
  I16,
  I8,
  U8,
  BOOL
};

NPSNet_EXPORT std::size_t  TensorElementSize(TensorElementEnum element);
NPSNet_EXPORT const char * TensorElementToString(TensorElementEnum element);

/** A tensor in memory that someone else owns. Strides count elements. Data need not be aligned. */
struct TensorView
{
  TensorElementEnum         Element{ TensorElementEnum::F32 };
  std::vector<std::int64_t> Shape;
  std::vector<std::int64_t> Strides;
  const unsigned char *     Data{ nullptr };

  NPSNet_EXPORT std::int64_t GetNumberOfElements() const;

  /** Strides of a row-major tensor of this shape. */
  NPSNet_EXPORT void SetContiguous();
};

/** "[64, 3, 3, 3]" */
NPSNet_EXPORT std::string TensorShapeToString(const std::vector<std::int64_t> & shape);

/** \class TensorFile
 * \brief Named tensors of a file, mapped and checked: every view lies inside the file.
 *
 * Reads the zip format of torch.save (a state_dict, bare or under "model_state_dict" or "state_dict", with any other
 * objects around it, none of which is ever executed) and the safetensors format.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT TensorFile
{
public:
  using TensorMapType = std::map<std::string, TensorView>;

  /** Throws itk::ExceptionObject with one sentence that names the file. */
  explicit TensorFile(const std::string & fileName);

  const MappedFile &    GetFile() const { return *m_File; }
  const TensorMapType & GetTensors() const { return m_Tensors; }
  bool                  IsTorchCheckpoint() const { return m_IsTorchCheckpoint; }

  /** "__metadata__" of a safetensors file; for a checkpoint the scalars and texts beside the state_dict. */
  const std::map<std::string, std::string> & GetMetadata() const { return m_Metadata; }

  /** SHA-256 of the tensor data, in file order (safetensors only). */
  std::string ComputeDataSHA256() const;

  /** Writes a safetensors file under a temporary name and renames it. All views must be contiguous.
   * \a metadata receives the SHA-256 of the tensor data and returns the "__metadata__" entries. */
  template <typename TMetadata>
  static void Write(const std::string & fileName, const TensorMapType & tensors, TMetadata metadata)
  {
    const std::vector<TensorMapType::const_iterator> order = FileOrder(tensors);
    WriteOrdered(fileName, order, metadata(ComputeDataSHA256(order)));
  }

private:
  using OrderType = std::vector<TensorMapType::const_iterator>;

  void ReadTorchCheckpoint();
  void ReadSafetensors();

  static OrderType   FileOrder(const TensorMapType & tensors);
  static std::string ComputeDataSHA256(const OrderType & order);
  static void        WriteOrdered(const std::string &                        fileName,
                                  const OrderType &                          order,
                                  const std::map<std::string, std::string> & metadata);

  std::shared_ptr<const MappedFile>  m_File;
  TensorMapType                      m_Tensors;
  std::map<std::string, std::string> m_Metadata;
  bool                               m_IsTorchCheckpoint{ false };
  std::size_t                        m_DataOffset{ 0 };
};
} // namespace itk

#endif
