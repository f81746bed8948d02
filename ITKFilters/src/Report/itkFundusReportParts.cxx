// SPDX-License-Identifier: Apache-2.0
#include "itkFundusReportParts.h"

#include "itkHTML.h"
#include "itkNPSNetVersion.h"
#include "itkText.h"

#include <map>

namespace itk
{
namespace FundusReportParts
{
using HTML::Escape;

std::string EyeText(const FundusResult & result)
{
  const std::string source = result.EyeSource == EyeSourceEnum::User       ? " (given by the user)"
                             : result.EyeSource == EyeSourceEnum::DICOM    ? " (from DICOM)"
                             : result.EyeSource == EyeSourceEnum::FileName ? " (from the file name)"
                                                                           : "";
  return result.Eye == EyeSideEnum::OD   ? "Right eye, OD" + source
         : result.Eye == EyeSideEnum::OS ? "Left eye, OS" + source
                                         : "Eye unknown: nasal and temporal values stay empty";
}

std::string SectorTitle(const std::string & name)
{
  static const std::map<std::string, std::string> titles = { { "I", "Inferior" },        { "S", "Superior" },
                                                             { "N", "Nasal" },           { "T", "Temporal" },
                                                             { "ST", "Superotemporal" }, { "SN", "Superonasal" },
                                                             { "IN", "Inferonasal" },    { "IT", "Inferotemporal" } };
  const auto                                      found = titles.find(name);
  return found != titles.end() ? found->second : name;
}

std::string StatusChip(const FundusResult & result)
{
  std::string words = FundusStatusToString(result.Status);
  for (char & c : words)
  {
    c = c == '_' ? ' ' : c;
  }
  return std::string("<span class=\"chip ") + (result.Status == FundusStatusEnum::Ok ? "good" : "warn") + "\">" +
         words + "</span>";
}

std::string FlagList(const FundusResult & result)
{
  std::string items;
  if (result.Status != FundusStatusEnum::Ok && !result.Message.empty())
  {
    items += "<li>" + Escape(result.Message) + "</li>\n";
  }
  for (const auto flag : result.Measurements.Flags)
  {
    const std::string sentence = RimQualityFlagToSentence(flag);
    if (result.Message.find(sentence) == std::string::npos) // the message of a low confidence repeats the flags
    {
      items += "<li>" + Escape(sentence) + "</li>\n";
    }
  }
  if (result.HasSegmentation() && result.Boundary.IsNull())
  {
    items += "<li>The outlines were drawn or edited by hand; they are measured as they are.</li>\n";
  }
  if (result.Valid && !*result.Valid)
  {
    items += "<li>The label map is not valid (nested, one hole-free part each, single crossing).</li>\n";
  }
  return items.empty() ? "" : "<section class=\"flags\"><h2>Look twice</h2><ul>\n" + items + "</ul></section>\n";
}

std::string Calibration(const FundusResult & result)
{
  const auto & scale = result.Measurements.MicrometersPerPixel;
  return scale ? "Calibration: " + NumberText(*scale, 5) + " &#181;m per pixel" +
                   (result.CalibrationSource.empty() ? "" : " (" + Escape(result.CalibrationSource) + ")") + ". "
               : std::string("Not calibrated: lengths are photo pixels and DDLS is empty. ");
}

std::string Provenance(const FundusResult & result)
{
  std::string html = "NPSNetSegmentation " + Escape(NPSNetVersion());
  if (result.Network.IsKnown())
  {
    html +=
      ", model " + Escape(result.Network.Name) +
      (result.Network.Version.empty() ? "" : " " + Escape(result.Network.Version)) +
      (result.Network.SHA256.empty() ? "" : ", SHA-256 " + Escape(result.Network.SHA256.substr(0, 16)) + "&#8230;") +
      (result.Network.Licence.empty() ? "" : ", licence " + Escape(result.Network.Licence));
  }
  if (!result.TTA.Mode.empty())
  {
    html += ", TTA " + Escape(result.TTA.Mode);
  }
  if (!result.Localisation.Method.empty())
  {
    html +=
      ", disc located by " + Escape(result.Localisation.Method) +
      (result.Localisation.Confidence ? " (confidence " + FixedText(*result.Localisation.Confidence, 2) + ")" : "");
  }
  html += result.Measurements.MeasuredFrom == RimMeasurements::Origin::Masks ? ", measured from masks" : "";
  html += result.Seconds ? ", " + FixedText(*result.Seconds, 1) + " s" : "";
  return html + ".";
}
} // namespace FundusReportParts
} // namespace itk
