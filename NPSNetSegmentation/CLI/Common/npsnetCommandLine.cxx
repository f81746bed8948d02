// SPDX-License-Identifier: Apache-2.0
#include "npsnetCommandLine.h"

#include "npsnetExitCodes.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <type_traits>

namespace npsnet
{
namespace
{
constexpr std::size_t HelpWidth = 100;
constexpr std::size_t HelpColumn = 30;

class CommandLineError : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

/// Slicer's XML allows underscores in a flag, users type hyphens; both are understood.
std::string Typed(std::string longFlag)
{
  std::replace(longFlag.begin(), longFlag.end(), '_', '-');
  return longFlag;
}

std::string Dashed(const ParameterDescription& parameter)
{
  return parameter.LongFlag.empty() ? "-" + parameter.Flag : "--" + Typed(parameter.LongFlag);
}

std::vector<std::string> Split(const std::string& text, char separator)
{
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, separator);)
  {
    words.push_back(word);
  }
  return words;
}

/// What the XML's <constraints> say. A text that was no number at all is told before.
void RequireWithin(const ParameterDescription& parameter, const std::string& word, double value)
{
  const auto bound = [](const std::string& text, double none) { return text.empty() ? none : std::stod(text); };
  constexpr double Endless = std::numeric_limits<double>::infinity();
  if (value >= bound(parameter.Minimum, -Endless) && value <= bound(parameter.Maximum, Endless))
  {
    return;
  }
  const std::string range = parameter.Minimum.empty()   ? "at most " + parameter.Maximum
                            : parameter.Maximum.empty() ? "at least " + parameter.Minimum
                                                        : parameter.Minimum + " to " + parameter.Maximum;
  throw CommandLineError(Dashed(parameter) + " takes " + range + ", not " + word + ".");
}

template <typename T> T Convert(const std::string& word, const ParameterDescription& parameter)
{
  if constexpr (std::is_same_v<T, std::string>)
  {
    return word;
  }
  else
  {
    std::istringstream stream(word);
    stream.imbue(std::locale::classic());
    T value{};
    if (!(stream >> value) || !(stream >> std::ws).eof())
    {
      throw CommandLineError(Dashed(parameter) + " takes " +
                             (std::is_integral_v<T> ? std::string("whole numbers") : std::string("numbers")) +
                             ", not \"" + word + "\".");
    }
    RequireWithin(parameter, word, static_cast<double>(value));
    return value;
  }
}

template <typename T> std::vector<T> ConvertList(const std::string& text, const ParameterDescription& parameter)
{
  std::vector<T> values;
  for (const std::string& word : Split(text, ','))
  {
    values.push_back(Convert<T>(word, parameter));
  }
  return values;
}

/// Paragraph wrapped to HelpWidth whose first line starts behind `lead`.
std::string Wrapped(const std::string& lead, std::size_t indent, const std::string& text)
{
  std::string out = lead;
  std::size_t column = lead.size();
  if (column >= indent && indent > 0)
  {
    out += '\n';
    column = 0;
  }
  out.append(indent - std::min(column, indent), ' ');
  column = indent;
  bool first = true;
  for (const std::string& word : Split(text, ' '))
  {
    if (!first && column + 1 + word.size() > HelpWidth)
    {
      out += '\n' + std::string(indent, ' ');
      column = indent;
      first = true;
    }
    if (!first)
    {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    first = false;
  }
  return out + '\n';
}
} // namespace

class CommandLine::Implementation
{
public:
  struct Entry
  {
    ParameterDescription Parameter;
    bool TakesValue{true};
    bool Repeats{false};
    std::function<void(const std::vector<std::string>&)> Assign;
    std::vector<std::string> Given; // by Parse(), in the order of the command line
  };

  std::string Name;
  std::string Title;
  std::string Description;
  std::string Version;
  std::string XML;
  std::vector<std::unique_ptr<Entry>> Entries;
  int ExitCode{ExitDone};

  /// The name users typed: `npsnet segment` when the front door started us.
  std::string ProgramName() const
  {
    const char* typed = std::getenv("NPSNET_COMMAND");
    return typed && *typed ? typed : this->Name;
  }

  Entry& AddEntry(
    const ParameterDescription& parameter, const std::function<void(const std::vector<std::string>&)>& assign)
  {
    this->Entries.push_back(std::make_unique<Entry>());
    this->Entries.back()->Parameter = parameter;
    this->Entries.back()->Assign = assign;
    return *this->Entries.back();
  }

  /// A parameter that appears once.
  void AddOne(const ParameterDescription& parameter, const std::function<void(const std::string&)>& assign)
  {
    this->AddEntry(parameter, [assign](const std::vector<std::string>& words) { assign(words.front()); });
  }

  void AddRepeated(
    const ParameterDescription& parameter, const std::function<void(const std::vector<std::string>&)>& assign)
  {
    this->AddEntry(parameter, assign).Repeats = true;
  }

  std::vector<Entry*> Positional() const
  {
    std::vector<Entry*> positional;
    for (const auto& entry : this->Entries)
    {
      if (entry->Parameter.Index >= 0)
      {
        positional.push_back(entry.get());
      }
    }
    std::sort(positional.begin(), positional.end(),
      [](const Entry* a, const Entry* b) { return a->Parameter.Index < b->Parameter.Index; });
    return positional;
  }

  Entry* Find(const std::string& dashed) const
  {
    for (const auto& entry : this->Entries)
    {
      const ParameterDescription& p = entry->Parameter;
      if ((!p.LongFlag.empty() && Typed(dashed) == "--" + Typed(p.LongFlag)) ||
          (!p.Flag.empty() && dashed == "-" + p.Flag))
      {
        return entry.get();
      }
    }
    return nullptr;
  }

  /// A file; the last place may take any number of them.
  void TakeFile(const std::string& word)
  {
    for (Entry* entry : this->Positional())
    {
      if (entry->Repeats || entry->Given.empty())
      {
        entry->Given.push_back(word);
        return;
      }
    }
    throw CommandLineError("there is no place for \"" + word + "\".");
  }

  void TakeOption(Entry& entry, const std::string& value)
  {
    if (!entry.Repeats && !entry.Given.empty())
    {
      throw CommandLineError(Dashed(entry.Parameter) + " is given twice.");
    }
    entry.Given.push_back(value);
  }

  /// Every word to its parameter.
  void Distribute(int argc, const char* const* argv)
  {
    bool onlyFiles = false;
    for (int i = 1; i < argc; ++i)
    {
      const std::string word = argv[i];
      if (onlyFiles)
      {
        this->TakeFile((word.rfind('-', 0) == 0 ? "./" : "") + word);
        continue;
      }
      if (word == "--")
      {
        onlyFiles = true;
        continue;
      }
      const std::size_t equals = word.rfind("--", 0) == 0 ? word.find('=') : std::string::npos;
      const std::string option = word.substr(0, equals);
      Entry* entry = this->Find(option);
      if (!entry)
      {
        if (word.size() > 1 && word[0] == '-')
        {
          throw CommandLineError("there is no option " + option + "; a file of that name can follow a lone \"--\".");
        }
        this->TakeFile(word);
      }
      else if (equals != std::string::npos && !entry->TakesValue)
      {
        throw CommandLineError(option + " takes no value.");
      }
      else if (equals != std::string::npos || !entry->TakesValue)
      {
        this->TakeOption(*entry, entry->TakesValue ? word.substr(equals + 1) : "");
      }
      else if (++i < argc)
      {
        this->TakeOption(*entry, argv[i]);
      }
      else
      {
        throw CommandLineError(option + " needs a value.");
      }
    }
  }

  void PrintHelp(std::ostream& out) const
  {
    out << Wrapped(this->Title + ": ", 0, this->Description) << "\nUsage: " << this->ProgramName();
    for (const Entry* entry : this->Positional())
    {
      out << " " << entry->Parameter.Name << (entry->Repeats ? "..." : "");
    }
    out << " [options]\n";
    std::string group;
    for (const auto& entry : this->Entries)
    {
      const ParameterDescription& p = entry->Parameter;
      if (p.Hidden)
      {
        continue;
      }
      if (p.Group != group)
      {
        group = p.Group;
        out << "\n" << group << "\n";
      }
      std::string lead = "  ";
      if (p.Index >= 0)
      {
        lead += p.Name + (entry->Repeats ? "..." : "");
      }
      else
      {
        lead += (p.Flag.empty() ? "" : "-" + p.Flag + (p.LongFlag.empty() ? "" : ", "));
        lead += p.LongFlag.empty() ? "" : "--" + Typed(p.LongFlag);
        if (!p.Allowed.empty())
        {
          lead += " " + p.Allowed.front();
          for (std::size_t i = 1; i < p.Allowed.size(); ++i)
          {
            lead += "|" + p.Allowed[i];
          }
        }
        else if (entry->TakesValue)
        {
          static const std::map<std::string, std::string> Shown = {{"integer", "N"}, {"float", "V"}, {"double", "V"},
            {"string", "TEXT"}, {"file", "FILE"}, {"directory", "DIR"}, {"image", "FILE"}, {"table", "FILE"},
            {"point", "X,Y"}, {"region", "X,Y,RX,RY"}};
          const auto shown = Shown.find(p.Tag);
          lead += " " + (shown == Shown.end() ? "A,B,..." : shown->second);
        }
      }
      const bool showDefault = entry->TakesValue && !p.Default.empty();
      out << Wrapped(lead + " ", HelpColumn, p.Description + (showDefault ? " (default: " + p.Default + ")" : ""));
    }
    out << "\nOther\n"
        << Wrapped("  --help, --version, --xml ", HelpColumn, "This text; the version; Slicer's description.") << "\n"
        << ExitCodesHelp;
  }

  bool Fail(const std::string& sentence)
  {
    std::cerr << this->ProgramName() << ": " << sentence << " See " << this->ProgramName() << " --help." << std::endl;
    this->ExitCode = ExitUsage;
    return false;
  }
};

CommandLine::CommandLine(
  std::string name, std::string title, std::string description, std::string version, std::string xml)
    : Self(std::make_unique<Implementation>())
{
  this->Self->Name = std::move(name);
  this->Self->Title = std::move(title);
  this->Self->Description = std::move(description);
  this->Self->Version = std::move(version);
  this->Self->XML = std::move(xml);
}

CommandLine::~CommandLine() = default;

int CommandLine::GetExitCode() const
{
  return this->Self->ExitCode;
}

void CommandLine::Add(bool& value, const ParameterDescription& parameter)
{
  this->Self->AddEntry(parameter, [&value](const std::vector<std::string>&) { value = true; }).TakesValue = false;
}

void CommandLine::Add(int& value, const ParameterDescription& parameter)
{
  this->Self->AddOne(parameter, [&value, parameter](const std::string& w) { value = Convert<int>(w, parameter); });
}

void CommandLine::Add(float& value, const ParameterDescription& parameter)
{
  this->Self->AddOne(parameter, [&value, parameter](const std::string& w) { value = Convert<float>(w, parameter); });
}

void CommandLine::Add(double& value, const ParameterDescription& parameter)
{
  this->Self->AddOne(parameter, [&value, parameter](const std::string& w) { value = Convert<double>(w, parameter); });
}

void CommandLine::Add(std::string& value, const ParameterDescription& parameter)
{
  this->Self->AddOne(parameter,
    [&value, parameter](const std::string& word)
    {
      const auto& allowed = parameter.Allowed;
      if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), word) == allowed.end())
      {
        std::string all;
        for (const std::string& one : allowed)
        {
          all += (all.empty() ? "" : ", ") + one;
        }
        throw CommandLineError(Dashed(parameter) + " takes one of " + all + ", not \"" + word + "\".");
      }
      value = word;
    });
}

void CommandLine::Add(std::vector<int>& value, const ParameterDescription& parameter)
{
  this->Self->AddOne(parameter, [&value, parameter](const std::string& w) { value = ConvertList<int>(w, parameter); });
}

void CommandLine::Add(std::vector<float>& value, const ParameterDescription& parameter)
{
  this->Self->AddOne(
    parameter, [&value, parameter](const std::string& w) { value = ConvertList<float>(w, parameter); });
}

void CommandLine::Add(std::vector<double>& value, const ParameterDescription& parameter)
{
  this->Self->AddOne(
    parameter, [&value, parameter](const std::string& w) { value = ConvertList<double>(w, parameter); });
}

void CommandLine::Add(std::vector<std::string>& value, const ParameterDescription& parameter)
{
  if (parameter.Tag == "string-vector")
  {
    this->Self->AddOne(
      parameter, [&value, parameter](const std::string& w) { value = ConvertList<std::string>(w, parameter); });
    return;
  }
  this->Self->AddRepeated(parameter, [&value](const std::vector<std::string>& words) { value = words; });
}

void CommandLine::Add(std::vector<std::vector<float>>& value, const ParameterDescription& parameter)
{
  this->Self->AddRepeated(parameter,
    [&value, parameter](const std::vector<std::string>& words)
    {
      value.clear();
      for (const std::string& word : words)
      {
        value.push_back(ConvertList<float>(word, parameter));
      }
    });
}

bool CommandLine::Parse(int argc, const char* const* argv)
{
  Implementation& self = *this->Self;
  for (int i = 1; i < argc; ++i)
  {
    const std::string word = argv[i];
    if (word == "--")
    {
      break;
    }
    if (word == "--xml")
    {
      std::cout << self.XML << std::flush;
      return false;
    }
    if (word == "--help" || word == "-h")
    {
      self.PrintHelp(std::cout);
      return false;
    }
    if (word == "--version")
    {
      std::cout << self.Name << " " << self.Version << std::endl;
      return false;
    }
  }
  try
  {
    self.Distribute(argc, argv);
    for (const auto& entry : self.Entries)
    {
      if (!entry->Given.empty())
      {
        entry->Assign(entry->Given);
      }
    }
  }
  catch (const CommandLineError& error)
  {
    return self.Fail(error.what());
  }
  return true;
}
} // namespace npsnet
