// SPDX-License-Identifier: Apache-2.0
#include "itkFundusFHIR.h"

#include "itkNPSNetVersion.h"
#include "itkText.h"
#include "itkSHA256.h"

#include <nlohmann/json.hpp>

#include <cstdlib>

namespace itk
{
namespace
{
using JSON = nlohmann::ordered_json;

constexpr const char * DICOMSystem = "http://dicom.nema.org/resources/ontology/DCM";
constexpr const char * SnomedSystem = "http://snomed.info/sct";
constexpr const char * UnitSystem = "http://unitsofmeasure.org";
constexpr const char * PrivateSystem = "urn:npsnet:codes"; // 99NPSNET in DICOM

JSON Concept(const char * system, const std::string & code, const std::string & display)
{
  return { { "coding", JSON::array({ { { "system", system }, { "code", code }, { "display", display } } }) } };
}

JSON Quantity(double value, const char * unit)
{
  // As many digits as the metrics file and the DICOM report have.
  return { { "value", std::strtod(NumberText(value, 8).c_str(), nullptr) },
           { "unit", unit },
           { "system", UnitSystem },
           { "code", unit } };
}

/** Text of the form 8-4-4-4-12 for an entry, the same again for the same words. */
std::string UUIDOf(const std::string & words)
{
  std::string digest = SHA256::OfBytes(words.data(), words.size()).substr(0, 32);
  digest[12] = '8'; // RFC 9562: a version of our own making, the usual variant
  digest[16] = 'a';
  return "urn:uuid:" + digest.substr(0, 8) + "-" + digest.substr(8, 4) + "-" + digest.substr(12, 4) + "-" +
         digest.substr(16, 4) + "-" + digest.substr(20, 12);
}

JSON PlaceOf(const std::string & sector)
{
  if (sector == "S")
  {
    return Concept(SnomedSystem, "264217000", "Superior");
  }
  if (sector == "I")
  {
    return Concept(SnomedSystem, "261089000", "Inferior");
  }
  if (sector == "N")
  {
    return Concept(PrivateSystem, "nasal", "Nasal");
  }
  if (sector == "T")
  {
    return Concept(PrivateSystem, "temporal", "Temporal");
  }
  return Concept(PrivateSystem, "clock-hour-" + sector, sector + " o'clock on the photograph");
}

/** Collects the observations of one result. */
class BundleMaker
{
public:
  BundleMaker(const FundusResult & result, const std::map<std::string, std::string> & identifiers)
    : m_Result(result)
    , m_Identifiers(identifiers)
  {}

  std::string Make()
  {
    const RimMeasurements & m = m_Result.Measurements;
    this->AddNumber("131257", "Cup to disc ratio vertical", m.VerticalCupToDiscRatio, "{ratio}");
    this->AddNumber("131258", "Cup to disc ratio horizontal", m.HorizontalCupToDiscRatio, "{ratio}");
    this->AddNumber("131256", "Cup to disc area ratio", m.AreaCupToDiscRatio, "{ratio}");
    this->AddNumber("131262", "Optic disc area", this->Scaled(m.DiscArea, 2), "mm2");
    this->AddNumber("131261", "Optic cup area", this->Scaled(m.CupArea, 2), "mm2");
    this->AddNumber("131259", "Neuroretinal rim area", this->Scaled(m.RimArea, 2), "mm2");
    this->AddNumber("131260", "Neuroretinal rim width", this->Scaled(m.MeanRimWidth, 1), "um");
    this->AddSectors(m.Quadrants, "quadrants");
    this->AddSectors(m.ClockHours, "clock hours as seen on the photograph");
    const JSON bundle = { { "resourceType", "Bundle" }, { "type", "collection" }, { "entry", m_Entries } };
    return bundle.dump(1, ' ', false, JSON::error_handler_t::replace) + "\n";
  }

private:
  /** Micrometres for a length, square millimetres for an area; empty without calibration. */
  std::optional<double> Scaled(const std::optional<double> & pixels, int dimension) const
  {
    const auto & scale = m_Result.Measurements.MicrometersPerPixel;
    if (!pixels || !scale)
    {
      return std::nullopt;
    }
    return dimension == 1 ? *pixels * *scale : *pixels * *scale * *scale * 1e-6;
  }

  JSON Observation(const JSON & code) const
  {
    JSON observation = { { "resourceType", "Observation" },
                         { "status", "preliminary" },
                         { "code", code },
                         { "bodySite", Concept(SnomedSystem, "81745001", "Eye") } };
    if (m_Result.Eye != EyeSideEnum::Unknown)
    {
      observation["bodySite"]["text"] = m_Result.Eye == EyeSideEnum::OD ? "Right eye" : "Left eye";
    }
    const auto patient = m_Identifiers.find("PatientID");
    if (patient != m_Identifiers.end())
    {
      observation["subject"] = { { "type", "Patient" }, { "identifier", { { "value", patient->second } } } };
    }
    const auto study = m_Identifiers.find("StudyInstanceUID");
    if (study != m_Identifiers.end())
    {
      observation["derivedFrom"] = JSON::array(
        { { { "type", "ImagingStudy" },
            { "identifier", { { "system", "urn:dicom:uid" }, { "value", "urn:oid:" + study->second } } } } });
    }
    observation["device"] = { { "display",
                                "NPSNetSegmentation " + std::string(NPSNetVersion()) +
                                  (m_Result.Network.SHA256.empty() ? "" : ", model " + m_Result.Network.SHA256) } };
    observation["note"] = JSON::array({ { { "text", "Measurements for research use; not a diagnosis." } } });
    return observation;
  }

  void Add(const JSON & observation)
  {
    m_Entries.push_back(
      { { "fullUrl", UUIDOf(m_Result.Name + observation.dump(-1, ' ', false, JSON::error_handler_t::replace)) },
        { "resource", observation } });
  }

  void AddNumber(const char * code, const char * display, const std::optional<double> & value, const char * unit)
  {
    if (value)
    {
      JSON observation = this->Observation(Concept(DICOMSystem, code, display));
      observation["valueQuantity"] = Quantity(*value, unit);
      this->Add(observation);
    }
  }

  /** One observation whose components are the sectors: width where the photograph is calibrated, else a ratio. */
  void AddSectors(const std::vector<RimMeasurements::Sector> & sectors, const char * method)
  {
    const bool calibrated = m_Result.Measurements.MicrometersPerPixel.has_value();
    JSON       components = JSON::array();
    for (const auto & sector : sectors)
    {
      const auto value = calibrated ? this->Scaled(sector.RimWidth, 1) : sector.RimToDiscRatio;
      if (value)
      {
        components.push_back(
          { { "code", PlaceOf(sector.Name) }, { "valueQuantity", Quantity(*value, calibrated ? "um" : "{ratio}") } });
      }
    }
    if (!components.empty())
    {
      JSON observation = this->Observation(calibrated ? Concept(DICOMSystem, "131260", "Neuroretinal rim width")
                                                      : Concept(PrivateSystem, "rim-to-disc", "Rim to disc ratio"));
      observation["method"] = { { "text", method } };
      observation["component"] = components;
      this->Add(observation);
    }
  }

  const FundusResult &                       m_Result;
  const std::map<std::string, std::string> & m_Identifiers;
  JSON                                       m_Entries = JSON::array();
};
} // namespace

std::string ToFHIRBundle(const FundusResult & result, const std::map<std::string, std::string> & identifiers)
{
  return BundleMaker(result, identifiers).Make();
}
} // namespace itk
