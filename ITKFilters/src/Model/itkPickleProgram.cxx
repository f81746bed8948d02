// SPDX-License-Identifier: Apache-2.0
#include "itkPickleProgram.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <unordered_map>

namespace itk
{
namespace
{
using Kind = PickleValue::Kind;
using Handle = PickleValue::Handle;

[[noreturn]] void Fail(const std::string & reason)
{
  throw std::runtime_error(reason);
}
} // namespace

class PickleProgram::Machine
{
public:
  Machine(const unsigned char * data, std::size_t size, std::vector<PickleValue> & values)
    : m_Data(data)
    , m_Size(size)
    , m_Values(values)
  {}

  Handle Run()
  {
    for (;;)
    {
      const unsigned char opcode = this->Byte();
      if (opcode == '.')
      {
        return this->Pop();
      }
      this->Execute(opcode);
    }
  }

private:
  // ---- bytes -------------------------------------------------------------------------------------------------

  std::string_view Take(std::uint64_t count)
  {
    if (count > m_Size - m_At)
    {
      Fail("it ends too early");
    }
    const std::string_view text(reinterpret_cast<const char *>(m_Data + m_At), static_cast<std::size_t>(count));
    m_At += static_cast<std::size_t>(count);
    return text;
  }

  unsigned char Byte() { return static_cast<unsigned char>(this->Take(1)[0]); }

  std::uint64_t Unsigned(unsigned int bytes)
  {
    const std::string_view text = this->Take(bytes);
    std::uint64_t          value = 0;
    for (unsigned int i = 0; i < bytes; ++i)
    {
      value |= std::uint64_t{ static_cast<unsigned char>(text[i]) } << (8 * i);
    }
    return value;
  }

  std::string_view Line()
  {
    const void * end = std::memchr(m_Data + m_At, '\n', m_Size - m_At);
    if (!end)
    {
      Fail("it ends too early");
    }
    const std::string_view line =
      this->Take(static_cast<std::uint64_t>(static_cast<const unsigned char *>(end) - (m_Data + m_At)));
    ++m_At;
    return line;
  }

  std::int64_t Decimal(std::string_view text)
  {
    if (!text.empty() && text.back() == 'L')
    {
      text.remove_suffix(1);
    }
    const std::string copy(text.substr(0, 32));
    char *            end = nullptr;
    errno = 0;
    const long long value = std::strtoll(copy.c_str(), &end, 10);
    if (copy.empty() || end != copy.c_str() + copy.size() || text.size() > 32 || errno != 0)
    {
      Fail("it holds a malformed number");
    }
    return value;
  }

  // ---- values ------------------------------------------------------------------------------------------------

  PickleValue & New(Kind kind)
  {
    if (m_Values.size() >= MaximumNumberOfValues)
    {
      Fail("it holds more than " + std::to_string(MaximumNumberOfValues) + " values");
    }
    m_Values.emplace_back();
    m_Values.back().Type = kind;
    this->Push(static_cast<Handle>(m_Values.size() - 1));
    return m_Values.back();
  }

  void NewInteger(std::int64_t value, Kind kind = Kind::Integer) { this->New(kind).Integer = value; }

  /** Little-endian two's complement; what does not fit 64 bits is opaque (a NumPy random state may be). */
  void NewLong(std::string_view bytes)
  {
    if (bytes.size() > 8)
    {
      this->New(Kind::Opaque);
      return;
    }
    std::uint64_t value = (!bytes.empty() && (bytes.back() & 0x80)) ? ~std::uint64_t{ 0 } : 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
      value &= ~(std::uint64_t{ 0xFF } << (8 * i));
      value |= std::uint64_t{ static_cast<unsigned char>(bytes[i]) } << (8 * i);
    }
    this->NewInteger(static_cast<std::int64_t>(value));
  }

  void NewText(std::string_view text) { this->New(Kind::String).Text = text; }

  void NewGlobal(std::string_view module, std::string_view name)
  {
    PickleValue & value = this->New(Kind::Global);
    value.Module = module;
    value.Text = name;
  }

  void NewSequence(std::vector<Handle> items) { this->New(Kind::Sequence).Items = std::move(items); }

  PickleValue & Value(Handle handle) { return m_Values[handle]; }

  bool Is(Handle handle, Kind kind) const { return m_Values[handle].Type == kind; }

  bool IsGlobal(Handle handle, std::string_view module, std::string_view name) const
  {
    const PickleValue & value = m_Values[handle];
    return value.Type == Kind::Global && value.Module == module && value.Text == name;
  }

  // ---- stack -------------------------------------------------------------------------------------------------

  void Push(Handle handle)
  {
    if (m_Stack.size() >= MaximumNumberOfValues)
    {
      Fail("its stack grows without end");
    }
    m_Stack.push_back(handle);
  }

  Handle Pop()
  {
    if (m_Stack.empty() || (!m_Marks.empty() && m_Marks.back() == m_Stack.size()))
    {
      Fail("it takes from an empty stack");
    }
    const Handle handle = m_Stack.back();
    m_Stack.pop_back();
    return handle;
  }

  Handle Top()
  {
    const Handle handle = this->Pop();
    m_Stack.push_back(handle);
    return handle;
  }

  std::vector<Handle> PopMark()
  {
    if (m_Marks.empty())
    {
      Fail("it takes from an empty stack");
    }
    const auto          begin = m_Stack.begin() + static_cast<std::ptrdiff_t>(m_Marks.back());
    std::vector<Handle> items(begin, m_Stack.end());
    m_Stack.erase(begin, m_Stack.end());
    m_Marks.pop_back();
    return items;
  }

  std::vector<Handle> PopTuple(unsigned int count)
  {
    std::vector<Handle> items(count);
    for (auto item = items.rbegin(); item != items.rend(); ++item)
    {
      *item = this->Pop();
    }
    return items;
  }

  void Memoize(std::uint64_t index, Handle handle)
  {
    if (m_Memo.size() >= MaximumNumberOfValues)
    {
      Fail("its memo grows without end");
    }
    m_Memo[index] = handle;
  }

  void PushMemo(std::uint64_t index)
  {
    const auto found = m_Memo.find(index);
    if (found == m_Memo.end())
    {
      Fail("it refers to a value that it never made");
    }
    this->Push(found->second);
  }

  // ---- what the program may ask for --------------------------------------------------------------------------

  void AddItems(Handle container, const std::vector<Handle> & items)
  {
    if (this->Is(container, Kind::Sequence))
    {
      auto & target = this->Value(container).Items;
      target.insert(target.end(), items.begin(), items.end());
    }
    else if (!this->Is(container, Kind::Opaque))
    {
      Fail("it appends to something that is not a list");
    }
  }

  void SetItems(Handle container, const std::vector<Handle> & items)
  {
    if (items.size() % 2 != 0)
    {
      Fail("it holds a key without a value");
    }
    if (this->Is(container, Kind::Dictionary))
    {
      auto & target = this->Value(container).Pairs;
      for (std::size_t i = 0; i < items.size(); i += 2)
      {
        target.emplace_back(items[i], items[i + 1]);
      }
    }
    else if (!this->Is(container, Kind::Opaque))
    {
      Fail("it sets an item of something that is not a dictionary");
    }
  }

  /** ("storage", <storage class>, key, location, number of elements). Anything else is opaque. */
  void PersistentLoad(Handle id)
  {
    const PickleValue & tuple = this->Value(id);
    if (tuple.Type != Kind::Sequence || tuple.Items.size() < 5 || !this->Is(tuple.Items[0], Kind::String) ||
        this->Value(tuple.Items[0]).Text != "storage" || !this->Is(tuple.Items[1], Kind::Global) ||
        !this->Is(tuple.Items[2], Kind::String) || !this->Is(tuple.Items[4], Kind::Integer))
    {
      this->New(Kind::Opaque);
      return;
    }
    const std::string_view className = this->Value(tuple.Items[1]).Text;
    const std::string_view key = this->Value(tuple.Items[2]).Text;
    const std::int64_t     count = this->Value(tuple.Items[4]).Integer;
    PickleValue &          storage = this->New(Kind::Storage); // invalidates tuple
    storage.Module = className;
    storage.Text = key;
    storage.Integer = count;
  }

  void Reduce(Handle callable, Handle arguments)
  {
    if (this->IsGlobal(callable, "collections", "OrderedDict"))
    {
      // A state_dict is made empty and filled afterwards; the old form OrderedDict([[key, value], ...]) is filled here.
      std::vector<std::pair<Handle, Handle>> pairs;
      if (this->Is(arguments, Kind::Sequence) && !this->Value(arguments).Items.empty() &&
          this->Is(this->Value(arguments).Items[0], Kind::Sequence))
      {
        for (const Handle item : this->Value(this->Value(arguments).Items[0]).Items)
        {
          if (!this->Is(item, Kind::Sequence) || this->Value(item).Items.size() != 2)
          {
            Fail("it holds a key without a value");
          }
          pairs.emplace_back(this->Value(item).Items[0], this->Value(item).Items[1]);
        }
        m_CopiedItems += pairs.size();
        this->LimitCopies();
      }
      this->New(Kind::Dictionary).Pairs = std::move(pairs);
    }
    else if (this->IsGlobal(callable, "torch._utils", "_rebuild_tensor_v2") && this->IsTensorArguments(arguments))
    {
      const std::vector<Handle> & items = this->Value(arguments).Items;
      const std::int64_t          offset = this->Value(items[1]).Integer;
      std::vector<Handle>         parts{ items[0], items[2], items[3] };
      PickleValue &               tensor = this->New(Kind::Tensor); // invalidates items
      tensor.Integer = offset;
      tensor.Items = std::move(parts);
    }
    else if (this->IsGlobal(callable, "torch._utils", "_rebuild_parameter") && this->Is(arguments, Kind::Sequence) &&
             !this->Value(arguments).Items.empty())
    {
      this->Push(this->Value(arguments).Items[0]);
    }
    else
    {
      this->New(Kind::Opaque);
    }
  }

  bool IsTensorArguments(Handle arguments)
  {
    if (!this->Is(arguments, Kind::Sequence))
    {
      return false;
    }
    const std::vector<Handle> & items = this->Value(arguments).Items;
    return items.size() >= 4 && this->Is(items[0], Kind::Storage) && this->Is(items[1], Kind::Integer) &&
           this->Is(items[2], Kind::Sequence) && this->Is(items[3], Kind::Sequence);
  }

  /** OrderedDict(list) copies the list, the one place where a short program could multiply its memory. */
  void LimitCopies() const
  {
    if (m_CopiedItems > MaximumNumberOfValues)
    {
      Fail("it holds more than " + std::to_string(MaximumNumberOfValues) + " values");
    }
  }

  void Execute(unsigned char opcode)
  {
    switch (opcode)
    {
      // protocol
      case 0x80: // PROTO
        if (this->Byte() > 5)
        {
          Fail("its protocol is newer than 5");
        }
        break;
      case 0x95: // FRAME
        this->Unsigned(8);
        break;

      // stack and memo
      case '(':
        if (m_Marks.size() >= MaximumNumberOfValues)
        {
          Fail("its stack grows without end");
        }
        m_Marks.push_back(m_Stack.size());
        break;
      case '0': // POP also takes a mark
        if (!m_Marks.empty() && m_Marks.back() == m_Stack.size())
        {
          m_Marks.pop_back();
        }
        else
        {
          this->Pop();
        }
        break;
      case '1':
        this->PopMark();
        break;
      case '2':
        this->Push(this->Top());
        break;
      case 'p':
        this->Memoize(static_cast<std::uint64_t>(this->Decimal(this->Line())), this->Top());
        break;
      case 'q':
        this->Memoize(this->Byte(), this->Top());
        break;
      case 'r':
        this->Memoize(this->Unsigned(4), this->Top());
        break;
      case 0x94: // MEMOIZE
        this->Memoize(m_Memo.size(), this->Top());
        break;
      case 'g':
        this->PushMemo(static_cast<std::uint64_t>(this->Decimal(this->Line())));
        break;
      case 'h':
        this->PushMemo(this->Byte());
        break;
      case 'j':
        this->PushMemo(this->Unsigned(4));
        break;

      // scalars
      case 'N':
        this->New(Kind::None);
        break;
      case 0x88:
        this->NewInteger(1, Kind::Bool);
        break;
      case 0x89:
        this->NewInteger(0, Kind::Bool);
        break;
      case 'I':
      {
        const std::string_view line = this->Line();
        const bool             isBool = line == "00" || line == "01";
        this->NewInteger(this->Decimal(line), isBool ? Kind::Bool : Kind::Integer);
        break;
      }
      case 'L':
        this->NewInteger(this->Decimal(this->Line()));
        break;
      case 'J':
        this->NewInteger(static_cast<std::int32_t>(this->Unsigned(4)));
        break;
      case 'K':
        this->NewInteger(this->Byte());
        break;
      case 'M':
        this->NewInteger(static_cast<std::int64_t>(this->Unsigned(2)));
        break;
      case 0x8a: // LONG1
        this->NewLong(this->Take(this->Byte()));
        break;
      case 0x8b: // LONG4
        this->NewLong(this->Take(this->Unsigned(4)));
        break;
      case 'F':
        this->New(Kind::Real).Real = std::strtod(std::string(this->Line().substr(0, 64)).c_str(), nullptr);
        break;
      case 'G': // big-endian
      {
        const std::string_view text = this->Take(8);
        std::uint64_t          bits = 0;
        for (const char c : text)
        {
          bits = (bits << 8) | static_cast<unsigned char>(c);
        }
        double value = 0.0;
        std::memcpy(&value, &bits, sizeof(value));
        this->New(Kind::Real).Real = value;
        break;
      }

      // text and bytes
      case 'S':
      {
        std::string_view line = this->Line();
        if (line.size() >= 2 && (line.front() == '\'' || line.front() == '"') && line.back() == line.front())
        {
          line = line.substr(1, line.size() - 2);
        }
        this->NewText(line);
        break;
      }
      case 'V':
        this->NewText(this->Line());
        break;
      case 'U':  // SHORT_BINSTRING
      case 'C':  // SHORT_BINBYTES
      case 0x8c: // SHORT_BINUNICODE
        this->NewText(this->Take(this->Byte()));
        break;
      case 'T': // BINSTRING
      case 'B': // BINBYTES
      case 'X': // BINUNICODE
        this->NewText(this->Take(this->Unsigned(4)));
        break;
      case 0x8d: // BINUNICODE8
      case 0x8e: // BINBYTES8
      case 0x96: // BYTEARRAY8
        this->NewText(this->Take(this->Unsigned(8)));
        break;

      // containers
      case ')':
      case ']':
      case 0x8f: // EMPTY_SET
        this->New(Kind::Sequence);
        break;
      case 't':
      case 'l':
      case 0x91: // FROZENSET
        this->NewSequence(this->PopMark());
        break;
      case 0x85: // TUPLE1
      case 0x86:
      case 0x87:
        this->NewSequence(this->PopTuple(opcode - 0x84u));
        break;
      case '}':
        this->New(Kind::Dictionary);
        break;
      case 'd':
      {
        const std::vector<Handle> items = this->PopMark();
        this->New(Kind::Dictionary);
        this->SetItems(this->Top(), items);
        break;
      }
      case 'a':
      {
        const Handle item = this->Pop();
        this->AddItems(this->Top(), { item });
        break;
      }
      case 'e':
      case 0x90: // ADDITEMS
      {
        const std::vector<Handle> items = this->PopMark();
        this->AddItems(this->Top(), items);
        break;
      }
      case 's':
      {
        const Handle value = this->Pop();
        const Handle key = this->Pop();
        this->SetItems(this->Top(), { key, value });
        break;
      }
      case 'u':
      {
        const std::vector<Handle> items = this->PopMark();
        this->SetItems(this->Top(), items);
        break;
      }

      // globals and objects: looked at, never called
      case 'c':
      {
        const std::string_view module = this->Line();
        this->NewGlobal(module, this->Line());
        break;
      }
      case 0x93: // STACK_GLOBAL
      {
        const Handle name = this->Pop();
        const Handle module = this->Pop();
        if (!this->Is(name, Kind::String) || !this->Is(module, Kind::String))
        {
          Fail("it names a global that is not text");
        }
        this->NewGlobal(this->Value(module).Text, this->Value(name).Text);
        break;
      }
      case 'R':
      case 0x81: // NEWOBJ: for an OrderedDict the same
      {
        const Handle arguments = this->Pop();
        const Handle callable = this->Pop();
        this->Reduce(callable, arguments);
        break;
      }
      case 0x92: // NEWOBJ_EX
        this->PopTuple(3);
        this->New(Kind::Opaque);
        break;
      case 'i':
        this->Line();
        this->Line();
        this->PopMark();
        this->New(Kind::Opaque);
        break;
      case 'o':
        this->PopMark();
        this->New(Kind::Opaque);
        break;
      case 'b': // the state of an object (for a state_dict its _metadata) is of no interest
        this->Pop();
        this->Top();
        break;
      case 'P':
        this->Line();
        this->New(Kind::Opaque);
        break;
      case 'Q':
        this->PersistentLoad(this->Pop());
        break;

      default:
        Fail("it holds the unknown instruction " + std::to_string(opcode));
    }
  }

  const unsigned char *                     m_Data;
  std::size_t                               m_Size;
  std::size_t                               m_At{ 0 };
  std::vector<PickleValue> &                m_Values;
  std::vector<Handle>                       m_Stack;
  std::vector<std::size_t>                  m_Marks;
  std::unordered_map<std::uint64_t, Handle> m_Memo;
  std::size_t                               m_CopiedItems{ 0 };
};

PickleProgram::PickleProgram(const unsigned char * data, std::size_t size)
{
  if (size > MaximumProgramSize)
  {
    Fail("it is larger than " + std::to_string(MaximumProgramSize >> 20) + " MiB");
  }
  m_Root = Machine(data, size, m_Values).Run();
}

const PickleValue * PickleProgram::Find(const PickleValue & dictionary, std::string_view key) const
{
  const auto found = std::find_if(dictionary.Pairs.rbegin(), dictionary.Pairs.rend(), [this, key](const auto & pair) {
    const PickleValue & candidate = m_Values[pair.first];
    return candidate.Type == Kind::String && candidate.Text == key;
  });
  return found == dictionary.Pairs.rend() ? nullptr : &m_Values[found->second];
}
} // namespace itk
