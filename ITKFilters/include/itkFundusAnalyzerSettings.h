// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusAnalyzerSettings_h
#define itkFundusAnalyzerSettings_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <cstddef>
#include <string>
#include <vector>

namespace itk
{
/** \class FundusAnalyzerSettings
 * \brief What holds for all photographs of an analyzer; the one carrier of it between programs, scene and Python.
 * \ingroup NPSNet
 */
struct NPSNet_EXPORT FundusAnalyzerSettings
{
  /** Empty: the default models, see ModelFiles. */
  std::string ModelFile;
  std::string LocatorFile;

  /** "auto" takes what did best on validation photographs with the default model. */
  std::string TTAMode{ "auto" };

  /** See NPSNet::Settings. */
  std::string  Engine{ "auto" };
  std::string  Device{ "auto" };
  std::string  Precision{ "auto" };
  unsigned int Threads{ 0 };

  /** False: a photograph is already a crop centred on the disc (its largest centred square). */
  bool Locate{ true };

  /** Analyze a second time on a crop about the disc that the first pass found. Not for crops (Locate false). */
  bool Recenter{ true };

  /** A photograph with more pixels is refused before it is decoded. */
  std::size_t MaximumNumberOfPixels{ std::size_t{ 200 } * 1000 * 1000 };

  /** As flags of the command-line modules ("--tta", "off", "--no_locate", ...); what is the default is left out. */
  std::vector<std::string> ToArguments() const;

  /** The way back. Words with hyphens do as well; "default" means "auto". Throws itk::ExceptionObject with one sentence
   * for what is not a setting. */
  static FundusAnalyzerSettings FromArguments(const std::vector<std::string> & arguments);

  /** One setting by the name of its flag, without the hyphens before it; switches take "true" or "false". */
  void Set(const std::string & name, const std::string & value);
};

NPSNet_EXPORT bool operator==(const FundusAnalyzerSettings & a, const FundusAnalyzerSettings & b);
inline bool        operator!=(const FundusAnalyzerSettings & a, const FundusAnalyzerSettings & b)
{
  return !(a == b);
}
} // namespace itk

#endif
