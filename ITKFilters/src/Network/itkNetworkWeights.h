// SPDX-License-Identifier: Apache-2.0
#ifndef itkNetworkWeights_h
#define itkNetworkWeights_h

#include "NPSNetExport.h"
#include "itkTensorFile.h"

#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

namespace itk
{
namespace npsnet
{
/** \class NetworkWeights
 * \brief The tensors of a model file as the layers of a network ask for them.
 *
 * Numbers of any type, also those stored as bytes with a scale, come as floats. Every complaint is one sentence that
 * names the tensor.
 */
class NPSNet_EXPORT NetworkWeights
{
public:
  using ShapeType = std::vector<std::int64_t>;

  /** \a what names the kind of network in messages ("a b4 network"). */
  NetworkWeights(const TensorFile & file, const std::string & what)
    : m_File(file)
    , m_What(what)
  {}

  /** The values in row-major order. Throws itk::ExceptionObject when the tensor is missing, of another shape or not
   * finite. */
  std::vector<float> Take(const std::string & name, const ShapeType & shape);

  bool Has(const std::string & name) const { return m_File.GetTensors().count(name) > 0; }

  /** Throws when the file has a tensor that was not taken, can not be computed, and is not a counter of the training.
   */
  void RequireAllTaken() const;

  /** Is this one of the tensors that can be computed and are not part of a network here? */
  static bool IsDerived(const std::string & name);

private:
  const TensorFile &    m_File;
  std::string           m_What;
  std::set<std::string> m_Taken;
};
} // namespace npsnet
} // namespace itk

#endif
