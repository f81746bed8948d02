// SPDX-License-Identifier: Apache-2.0
#include "itkFundusAnalyzerSettings.h"
#include "itkNPSNetThrow.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>

namespace itk
{
namespace
{
using Settings = FundusAnalyzerSettings;
constexpr std::size_t Megapixel = 1000000;

unsigned long ToNumber(const std::string & name, const std::string & text, unsigned long largest)
{
  const bool          digits = !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == text.npos;
  const unsigned long number = digits ? std::stoul(text) : 0;
  if (!digits || number > largest)
  {
    npsnetThrow("The setting " << name << " takes a whole number, not \"" << text << "\".");
  }
  return number;
}

bool ToSwitch(const std::string & name, const std::string & text)
{
  if (text != "true" && text != "false")
  {
    npsnetThrow("The setting " << name << " takes true or false, not \"" << text << "\".");
  }
  return text == "true";
}

/** One flag of the command-line modules. */
struct Flag
{
  const char *                                                              Name;
  bool                                                                      IsSwitch;
  std::function<void(Settings &, const std::string &, const std::string &)> Set;
  std::function<std::string(const Settings &)>                              Get;
};

Flag TextFlag(const char * name, std::string Settings::*member)
{
  return { name,
           false,
           [member](Settings & s, const std::string &, const std::string & value) { s.*member = value; },
           [member](const Settings & s) { return s.*member; } };
}

Flag ModeFlag(const char * name, std::string Settings::*member)
{
  Flag flag = TextFlag(name, member);
  flag.Set = [member](Settings & s, const std::string &, const std::string & value) {
    s.*member = value.empty() || value == "default" ? "auto" : value;
  };
  return flag;
}

Flag NotFlag(const char * name, bool Settings::*member)
{
  return { name,
           true,
           [member](Settings & s, const std::string & flag, const std::string & value) {
             s.*member = !ToSwitch(flag, value);
           },
           [member](const Settings & s) { return s.*member ? "false" : "true"; } };
}

const std::vector<Flag> & Flags()
{
  static const std::vector<Flag> flags = {
    TextFlag("model", &Settings::ModelFile),
    TextFlag("locator", &Settings::LocatorFile),
    ModeFlag("tta", &Settings::TTAMode),
    ModeFlag("engine", &Settings::Engine),
    ModeFlag("device", &Settings::Device),
    ModeFlag("precision", &Settings::Precision),
    { "threads",
      false,
      [](Settings & s, const std::string & name, const std::string & value) {
        s.Threads = static_cast<unsigned int>(ToNumber(name, value, std::numeric_limits<unsigned int>::max()));
      },
      [](const Settings & s) { return std::to_string(s.Threads); } },
    NotFlag("no_locate", &Settings::Locate),
    NotFlag("no_recenter", &Settings::Recenter),
    { "max_megapixels",
      false,
      [](Settings & s, const std::string & name, const std::string & value) {
        s.MaximumNumberOfPixels = Megapixel * ToNumber(name, value, 1000000);
      },
      [](const Settings & s) { return std::to_string((s.MaximumNumberOfPixels + Megapixel - 1) / Megapixel); } },
  };
  return flags;
}

const Flag & FindFlag(const std::string & name)
{
  std::string plain = name;
  std::replace(plain.begin(), plain.end(), '-', '_');
  const auto found =
    std::find_if(Flags().begin(), Flags().end(), [&plain](const Flag & flag) { return flag.Name == plain; });
  if (found == Flags().end())
  {
    npsnetThrow("There is no setting \"" << name << "\".");
  }
  return *found;
}
} // namespace

void FundusAnalyzerSettings::Set(const std::string & name, const std::string & value)
{
  FindFlag(name).Set(*this, name, value);
}

std::vector<std::string> FundusAnalyzerSettings::ToArguments() const
{
  static const FundusAnalyzerSettings defaults;
  std::vector<std::string>            arguments;
  for (const Flag & flag : Flags())
  {
    const std::string value = flag.Get(*this);
    if (value == flag.Get(defaults))
    {
      continue;
    }
    arguments.push_back(std::string("--") + flag.Name);
    if (!flag.IsSwitch)
    {
      arguments.push_back(value);
    }
  }
  return arguments;
}

FundusAnalyzerSettings FundusAnalyzerSettings::FromArguments(const std::vector<std::string> & arguments)
{
  FundusAnalyzerSettings settings;
  for (std::size_t i = 0; i < arguments.size(); ++i)
  {
    if (arguments[i].compare(0, 2, "--") != 0)
    {
      npsnetThrow("\"" << arguments[i] << "\" is not a setting.");
    }
    const std::string name = arguments[i].substr(2);
    const Flag &      flag = FindFlag(name);
    if (!flag.IsSwitch && i + 1 == arguments.size())
    {
      npsnetThrow("The setting " << name << " needs a value.");
    }
    flag.Set(settings, name, flag.IsSwitch ? "true" : arguments[++i]);
  }
  return settings;
}

bool operator==(const FundusAnalyzerSettings & a, const FundusAnalyzerSettings & b)
{
  // The bindings make a field that is added but not compared an error of the compiler.
  const auto members = [](const FundusAnalyzerSettings & value) {
    const auto & [model, locator, tta, engine, device, precision, threads, locate, recenter, pixels] = value;
    return std::tie(model, locator, tta, engine, device, precision, threads, locate, recenter, pixels);
  };
  return members(a) == members(b);
}
} // namespace itk
