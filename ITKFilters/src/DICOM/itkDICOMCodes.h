// SPDX-License-Identifier: Apache-2.0
#ifndef itkDICOMCodes_h
#define itkDICOMCodes_h

#include "itkEyeSide.h"

#include <array>

namespace itk
{
/** \class DICOMCode
 * \brief A coded concept: value, scheme, meaning. Documentation/DICOM.md says where each was checked.
 * \ingroup NPSNet
 */
struct DICOMCode
{
  const char * Value;
  const char * Scheme;
  const char * Meaning;
};

namespace DICOMCodes
{
constexpr const char * PrivateScheme = "99NPSNET";
constexpr const char * PrivateSchemeName = "NPSNetSegmentation";

// CID 4281, Optic Disc Key Measurements
constexpr DICOMCode CupToDiscAreaRatio{ "131256", "DCM", "Cup to disc area ratio" };
constexpr DICOMCode CupToDiscVertical{ "131257", "DCM", "Cup to disc ratio vertical" };
constexpr DICOMCode CupToDiscHorizontal{ "131258", "DCM", "Cup to disc ratio horizontal" };
constexpr DICOMCode RimArea{ "131259", "DCM", "Neuroretinal rim area" };
constexpr DICOMCode RimWidth{ "131260", "DCM", "Neuroretinal rim width" };
constexpr DICOMCode CupArea{ "131261", "DCM", "Optic cup area" };
constexpr DICOMCode DiscArea{ "131262", "DCM", "Optic disc area" };

// CID 4282, Retinal Sector Methods
constexpr DICOMCode QuadrantSectors{ "131302", "DCM", "Quadrant sectors" };

// no standard code
constexpr DICOMCode OpticCup{ "optic-cup", "99NPSNET", "Optic cup" };
constexpr DICOMCode RimToDisc{ "rim-to-disc", "99NPSNET", "Rim to disc ratio" };
constexpr DICOMCode MinimumRimToDisc{ "min-rim-to-disc", "99NPSNET", "Smallest rim to disc ratio" };
constexpr DICOMCode ClockHours{ "clock-hours", "99NPSNET", "Clock hours as seen on the photograph" };
constexpr DICOMCode Nasal{ "nasal", "99NPSNET", "Nasal" };
constexpr DICOMCode Temporal{ "temporal", "99NPSNET", "Temporal" };
constexpr DICOMCode QualityFlag{ "quality-flag", "99NPSNET", "Quality flag" };

constexpr DICOMCode OpticNerveHead{ "81016008", "SCT", "Optic nerve head" };
constexpr DICOMCode Eye{ "81745001", "SCT", "Eye" };
constexpr DICOMCode Right{ "24028007", "SCT", "Right" };
constexpr DICOMCode Left{ "7771000", "SCT", "Left" };
constexpr DICOMCode Superior{ "264217000", "SCT", "Superior" };
constexpr DICOMCode Inferior{ "261089000", "SCT", "Inferior" };
constexpr DICOMCode AnatomicalStructure{ "123037004", "SCT", "Anatomical Structure" };
constexpr DICOMCode ImagingProcedure{ "363679005", "SCT", "Imaging procedure" };
constexpr DICOMCode FindingSite{ "363698007", "SCT", "Finding Site" };
constexpr DICOMCode Laterality{ "272741003", "SCT", "Laterality" };
constexpr DICOMCode TopographicalModifier{ "106233006", "SCT", "Topographical modifier" };
constexpr DICOMCode MeasurementMethod{ "370129005", "SCT", "Measurement Method" };
constexpr DICOMCode Area{ "42798000", "SCT", "Area" };

// CID 6019, 1 to 12 o'clock
constexpr std::array<DICOMCode, 12> ClockHourPositions{ { { "129772004", "SCT", "1 o'clock position" },
                                                          { "129773009", "SCT", "2 o'clock position" },
                                                          { "129774003", "SCT", "3 o'clock position" },
                                                          { "129775002", "SCT", "4 o'clock position" },
                                                          { "129776001", "SCT", "5 o'clock position" },
                                                          { "129777005", "SCT", "6 o'clock position" },
                                                          { "129778000", "SCT", "7 o'clock position" },
                                                          { "129779008", "SCT", "8 o'clock position" },
                                                          { "129780006", "SCT", "9 o'clock position" },
                                                          { "129781005", "SCT", "10 o'clock position" },
                                                          { "129782003", "SCT", "11 o'clock position" },
                                                          { "129783008", "SCT", "12 o'clock position" } } };

constexpr DICOMCode ReportTitle{ "126000", "DCM", "Imaging Measurement Report" };
constexpr DICOMCode Language{ "121049", "DCM", "Language of Content Item and Descendants" };
constexpr DICOMCode English{ "en", "RFC5646", "English" };
constexpr DICOMCode ObserverType{ "121005", "DCM", "Observer Type" };
constexpr DICOMCode Person{ "121006", "DCM", "Person" };
constexpr DICOMCode Device{ "121007", "DCM", "Device" };
constexpr DICOMCode PersonName{ "121008", "DCM", "Person Observer Name" };
constexpr DICOMCode PersonOrganization{ "121009", "DCM", "Person Observer's Organization Name" };
constexpr DICOMCode DeviceUID{ "121012", "DCM", "Device Observer UID" };
constexpr DICOMCode DeviceName{ "121013", "DCM", "Device Observer Name" };
constexpr DICOMCode DeviceManufacturer{ "121014", "DCM", "Device Observer Manufacturer" };
constexpr DICOMCode DeviceModel{ "121015", "DCM", "Device Observer Model Name" };
constexpr DICOMCode ProcedureReported{ "121058", "DCM", "Procedure reported" };
constexpr DICOMCode ImagingMeasurements{ "126010", "DCM", "Imaging Measurements" };
constexpr DICOMCode MeasurementGroup{ "125007", "DCM", "Measurement Group" };
constexpr DICOMCode TrackingIdentifier{ "112039", "DCM", "Tracking Identifier" };
constexpr DICOMCode TrackingUID{ "112040", "DCM", "Tracking Unique Identifier" };
constexpr DICOMCode Finding{ "121071", "DCM", "Finding" };
constexpr DICOMCode AlgorithmName{ "111001", "DCM", "Algorithm Name" };
constexpr DICOMCode AlgorithmVersion{ "111003", "DCM", "Algorithm Version" };
constexpr DICOMCode AlgorithmParameters{ "111002", "DCM", "Algorithm Parameters" };
constexpr DICOMCode Comment{ "121106", "DCM", "Comment" };
constexpr DICOMCode ReferencedSegment{ "121191", "DCM", "Referenced Segment" };
constexpr DICOMCode ReferencedSegmentationFrame{ "121214", "DCM", "Referenced Segmentation Frame" };
constexpr DICOMCode SourceImageForSegmentation{ "121233", "DCM", "Source image for segmentation" };
constexpr DICOMCode SourceOfMeasurement{ "121112", "DCM", "Source of Measurement" };
constexpr DICOMCode SegmentationDerivation{ "113076", "DCM", "Segmentation" };
constexpr DICOMCode SourceImageForProcessing{ "121322", "DCM", "Source image for image processing operation" };

constexpr DICOMCode Ratio{ "{ratio}", "UCUM", "ratio" };
constexpr DICOMCode SquareMillimeter{ "mm2", "UCUM", "mm2" };
constexpr DICOMCode Micrometer{ "um", "UCUM", "um" };
constexpr DICOMCode Pixels{ "{pixels}", "UCUM", "pixels" };

inline const DICOMCode & OfEye(EyeSideEnum eye)
{
  return eye == EyeSideEnum::OD ? Right : Left;
}
} // namespace DICOMCodes
} // namespace itk

#endif
