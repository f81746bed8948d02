// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetCommandLine_h
#define npsnetCommandLine_h

#include <memory>
#include <string>
#include <vector>

namespace npsnet
{
/// What the XML says of one parameter.
struct ParameterDescription
{
  std::string Name;
  std::string Flag;
  std::string LongFlag;
  std::string Group;
  std::string Description;
  std::string Default;
  std::string Tag;
  int Index{-1};
  bool Hidden{false};
  std::vector<std::string> Allowed;
  std::string Minimum; ///< empty: none
  std::string Maximum;
};

/// The command line of a module as its XML describes it, with Slicer's own conventions (--xml, flags, indexed files).
/// Used by the <Name>CLP.h headers that generate_clp.py writes, in every build.
///
/// It takes `--flag=value` and hyphens for underscores, enforces the XML's elements and constraints, and answers a
/// mistake with one sentence.
class CommandLine
{
public:
  CommandLine(std::string name, std::string title, std::string description, std::string version, std::string xml);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  void Add(bool& value, const ParameterDescription& parameter);
  void Add(int& value, const ParameterDescription& parameter);
  void Add(float& value, const ParameterDescription& parameter);
  void Add(double& value, const ParameterDescription& parameter);
  void Add(std::string& value, const ParameterDescription& parameter);
  void Add(std::vector<int>& value, const ParameterDescription& parameter);
  void Add(std::vector<float>& value, const ParameterDescription& parameter);
  void Add(std::vector<double>& value, const ParameterDescription& parameter);
  void Add(std::vector<std::string>& value, const ParameterDescription& parameter);
  void Add(std::vector<std::vector<float>>& value, const ParameterDescription& parameter);

  /// False when the program should end with GetExitCode(): --xml, --help and --version were answered on stdout,
  /// or a sentence about a wrong command line is on stderr.
  bool Parse(int argc, const char* const* argv);
  int GetExitCode() const;

private:
  class Implementation;
  std::unique_ptr<Implementation> Self;
};
} // namespace npsnet

#endif
