// SPDX-License-Identifier: Apache-2.0
#ifndef itkPickleProgram_h
#define itkPickleProgram_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace itk
{
/** A value that a pickle program made. Values refer to each other by index (Handle), so that cycles and
 * deep nesting cost nothing and destruction never recurses. */
struct PickleValue
{
  using Handle = std::uint32_t;

  enum class Kind : unsigned char
  {
    None,
    Bool,
    Integer,
    Real,
    String,     // also bytes
    Sequence,   // tuple, list or set
    Dictionary, // dict or OrderedDict
    Global,
    Storage,
    Tensor,
    Opaque
  };

  Kind         Type{ Kind::None };
  std::int64_t Integer{ 0 }; // Bool, Integer; number of elements of a Storage; element offset of a Tensor
  double       Real{ 0.0 };
  /** String: its characters. Global: "module name". Storage: its key. A view of the program's own bytes, save
   * for escaped text of protocol 0, which stays as it is written. */
  std::string_view Text;
  std::string_view Module; // Global: module; Storage: class name of the storage, e.g. "FloatStorage"

  std::vector<Handle>                    Items; // Sequence; Tensor: { storage, sizes, strides }
  std::vector<std::pair<Handle, Handle>> Pairs; // Dictionary, in order of insertion
};

/** \class PickleProgram
 * \brief Reads a pickle without ever calling anything.
 *
 * Knows dict, OrderedDict, list, tuple, set, numbers, strings, bytes, None, bool, persistent ids of torch
 * storages, torch._utils._rebuild_tensor_v2 and _rebuild_parameter. Every other global is an opaque value: calling it,
 * building its state or adding items to it gives an opaque value again. Time and memory are linear in the
 * size of the program, and both are limited.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT PickleProgram
{
public:
  using Handle = PickleValue::Handle;

  /** Runs the program. The bytes must outlive the object. Throws std::runtime_error with the reason. */
  PickleProgram(const unsigned char * data, std::size_t size);

  const PickleValue & GetRoot() const { return m_Values[m_Root]; }
  const PickleValue & Get(Handle handle) const { return m_Values[handle]; }

  /** Null when the value is not a dictionary or has no such key; the last of equal keys counts. */
  const PickleValue * Find(const PickleValue & dictionary, std::string_view key) const;

  static constexpr std::size_t MaximumProgramSize = std::size_t{ 1 } << 26;
  static constexpr std::size_t MaximumNumberOfValues = std::size_t{ 1 } << 20;

private:
  std::vector<PickleValue> m_Values;
  Handle                   m_Root{ 0 };

  class Machine;
};
} // namespace itk

#endif
