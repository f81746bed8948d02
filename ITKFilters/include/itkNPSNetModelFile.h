// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetModelFile_h
#define itkNPSNetModelFile_h

#include "NPSNetExport.h"
#include "itkMacro.h"
#include "itkNPSNetArchitecture.h"

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace itk
{
class TensorFile;

/** \class NPSNetModelMetadata
 * \brief What a model file says about its network.
 * \ingroup NPSNet
 */
struct NPSNet_EXPORT NPSNetModelMetadata
{
  unsigned int             FormatVersion{ 1 };
  std::string              Task{ "segmentation" }; // or "locator"
  NPSNetArchitecture       Architecture;
  std::string              Name;
  std::string              Version;
  std::string              Description;
  std::vector<std::string> TrainingSets;
  std::string              Licence;
  std::string              Authors;
  std::string              Created; // ISO 8601, UTC
  std::string              TensorSHA256;

  std::string                ToJSON() const;
  static NPSNetModelMetadata FromJSON(const std::string & json);
};

/** \class NPSNetModelFile
 * \brief A model file on disk: this project's own format or the authors' PyTorch checkpoint.
 *
 * Our format is a safetensors file (readable by any tool that knows the format) whose "__metadata__" entry "npsnet"
 * holds the metadata as JSON. The tensors are those of the authors' state_dict without the ones that
 * can be computed (sampling grids).
 *
 * A PyTorch checkpoint is read without executing anything in it; the architecture is deduced from names and shapes
 * of its tensors.
 *
 * The file is mapped into memory, and checked completely but for the weights that a network needs:
 * sizes, offsets, the SHA-256 of the tensor data, and that the tensors are those of the architecture.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT NPSNetModelFile
{
public:
  /** Opens and checks. Throws itk::ExceptionObject with one sentence that names the file and what is wrong. */
  explicit NPSNetModelFile(const std::string & fileName);
  ~NPSNetModelFile();

  const std::string &         GetFileName() const;
  const NPSNetModelMetadata & GetMetadata() const { return m_Metadata; }
  bool                        IsTorchCheckpoint() const;

  /** Shapes of the tensors by name. */
  std::map<std::string, std::vector<std::int64_t>> GetShapes() const;

  /** SHA-256 of the whole file: the identity of a model in all outputs. Computed in the background since the file was
   * opened. */
  const std::string & GetSHA256() const { return m_SHA256.get(); }

  /** The tensors themselves; private to the library. */
  const TensorFile & GetTensorFile() const { return *m_Tensors; }

private:
  std::shared_ptr<const TensorFile> m_Tensors;
  NPSNetModelMetadata               m_Metadata;
  std::shared_future<std::string>   m_SHA256;
};

/** Variant, widths and grid of the network that has tensors of these names and shapes, and a check of the shapes
 * that determine its size (so that no file can ask for a network larger than itself). What tensors cannot tell
 * is taken from \a defaults. Throws itk::ExceptionObject that names the tensor which does not fit. */
NPSNet_EXPORT NPSNetArchitecture
InferNPSNetArchitecture(const std::map<std::string, std::vector<std::int64_t>> & shapes,
                        const NPSNetArchitecture &                               defaults = NPSNetArchitecture());
} // namespace itk

#endif
