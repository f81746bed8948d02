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
};

/// The command line of a module as its XML describes it, parsed by TCLAP. Used by the <Name>CLP.h headers that
/// generate_clp.py writes; a full Slicer build has GenerateCLP's headers instead and never sees this class.
///
/// Past GenerateCLP it takes `--flag=value`, rejects unknown options in the place of files with a sentence and
/// prints a readable --help.
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
