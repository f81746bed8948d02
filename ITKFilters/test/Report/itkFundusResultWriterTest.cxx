// SPDX-License-Identifier: Apache-2.0
#include "TestFolder.h"
#include "itkCSV.h"
#include "itkFundusResultWriter.h"

#include "SampleResult.h"
#include "itkOutputError.h"
#include "itkPalette.h"
#include "itkFundusOverlay.h"
#include "itkFundusResultTable.h"
#include "itkMetaDataObject.h"
#include "itkNrrdImageIO.h"
#include "itkReportHTML.h"
#include "itkRimCSV.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/resource.h>

namespace
{
using itk::EyeSideEnum;
using itk::FundusFileEnum;
using itk::FundusResult;
using itk::FundusResultTable;
using itk::FundusResultWriter;
using nlohmann::json;

std::string MakeFolder(const std::string & name)
{
  const auto folder = std::filesystem::path(TestFolder()) / name;
  std::filesystem::remove_all(folder);
  return folder.string();
}

std::string ReadText(const std::string & path)
{
  std::ifstream stream(path, std::ios::binary);
  return { std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>() };
}

std::vector<std::string> Split(const std::string & text, const std::string & separator)
{
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();)
  {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + separator.size();
  }
  if (text.size() >= separator.size() &&
      text.compare(text.size() - separator.size(), separator.size(), separator) == 0 && separator == ",")
  {
    parts.emplace_back();
  }
  return parts;
}

/** No file may grow beyond it while it lives. */
class FileSizeLimit
{
public:
  explicit FileSizeLimit(rlim_t bytes)
    : m_Handler(std::signal(SIGXFSZ, SIG_IGN))
  {
    ::getrlimit(RLIMIT_FSIZE, &m_Before);
    const rlimit limit{ bytes, m_Before.rlim_max };
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit()
  {
    ::setrlimit(RLIMIT_FSIZE, &m_Before);
    std::signal(SIGXFSZ, m_Handler);
  }

private:
  rlimit m_Before{};
  void (*m_Handler)(int);
};

/** The system's reason why a file could not be written; 0 when it could. */
template <typename TFunction>
int WhyNot(TFunction && write)
{
  try
  {
    write();
  }
  catch (const itk::OutputError & error)
  {
    EXPECT_TRUE(error.ConcernsEveryFile());
    return error.GetErrorNumber();
  }
  return 0;
}

/** The part of JSON Schema that our schema uses; returns the path of the first fault. */
std::string Validate(const json & value, const json & rule, const json & root, const std::string & path = "$")
{
  if (rule.contains("$ref"))
  {
    const std::string reference = rule["$ref"];
    return Validate(value, root.at(json::json_pointer(reference.substr(1))), root, path);
  }
  if (rule.contains("type"))
  {
    const auto matches = [&value](const std::string & type) {
      return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
             (type == "string" && value.is_string()) || (type == "boolean" && value.is_boolean()) ||
             (type == "null" && value.is_null()) || (type == "integer" && value.is_number_integer()) ||
             (type == "number" && value.is_number());
    };
    const json & types = rule["type"];
    bool         found = types.is_string() && matches(types);
    for (const auto & type : types.is_array() ? types : json::array())
    {
      found = found || matches(type);
    }
    if (!found)
    {
      return path + ": type " + std::string(value.type_name());
    }
  }
  if (rule.contains("const") && value != rule["const"])
  {
    return path + ": const";
  }
  if (rule.contains("enum") && std::find(rule["enum"].begin(), rule["enum"].end(), value) == rule["enum"].end())
  {
    return path + ": enum";
  }
  if (value.is_number() && ((rule.contains("minimum") && value.get<double>() < rule["minimum"].get<double>()) ||
                            (rule.contains("maximum") && value.get<double>() > rule["maximum"].get<double>())))
  {
    return path + ": range";
  }
  if (value.is_object())
  {
    for (const auto & name : rule.value("required", json::array()))
    {
      if (!value.contains(name.get<std::string>()))
      {
        return path + ": misses " + name.get<std::string>();
      }
    }
    const json properties = rule.value("properties", json::object());
    for (const auto & item : value.items())
    {
      const std::string below = path + "." + item.key();
      std::string       fault;
      if (properties.contains(item.key()))
      {
        fault = Validate(item.value(), properties[item.key()], root, below);
      }
      else if (rule.contains("additionalProperties"))
      {
        fault = rule["additionalProperties"].is_boolean()
                  ? (rule["additionalProperties"].get<bool>() ? "" : below + ": not foreseen")
                  : Validate(item.value(), rule["additionalProperties"], root, below);
      }
      if (!fault.empty())
      {
        return fault;
      }
    }
  }
  if (value.is_array())
  {
    if ((rule.contains("minItems") && value.size() < rule["minItems"].get<std::size_t>()) ||
        (rule.contains("maxItems") && value.size() > rule["maxItems"].get<std::size_t>()))
    {
      return path + ": number of items";
    }
    for (std::size_t k = 0; rule.contains("items") && k < value.size(); ++k)
    {
      const std::string fault = Validate(value[k], rule["items"], root, path + "[" + std::to_string(k) + "]");
      if (!fault.empty())
      {
        return fault;
      }
    }
  }
  return {};
}

/** Every null of a measured value needs a reason, at its own path or at one above. */
void ExpectReasons(const json & value, const std::string & path, const json & missing)
{
  if (value.is_null())
  {
    bool found = false;
    for (std::string at = path; !found; at.erase(at.rfind('.')))
    {
      found = missing.contains(at);
      if (at.find('.') == std::string::npos)
      {
        break;
      }
    }
    EXPECT_TRUE(found) << path;
  }
  else if (value.is_object())
  {
    for (const auto & item : value.items())
    {
      ExpectReasons(item.value(), path + "." + item.key(), missing);
    }
  }
}

json CheckedMetrics(const FundusResult & result)
{
  static const json schema = json::parse(ReadText(NPSNET_RESOURCES_DIR "/Schemas/metrics.schema.json"));
  const std::string text = result.ToJSON();
  EXPECT_EQ(text.find("nan"), std::string::npos);
  const json metrics = json::parse(text);
  EXPECT_EQ(Validate(metrics, schema, schema), "");
  for (const char * part :
       { "measurements", "quadrants", "garway_heath", "clock_hours", "isnt", "ist", "ddls", "notch", "confidence" })
  {
    ExpectReasons(metrics[part], part, metrics["missing"]);
  }
  return metrics;
}
} // namespace

TEST(itkFundusResultWriter, WritesEveryFileOfASamplePhotograph)
{
  auto result = MakeSampleResult("RET042OD", EyeSideEnum::OD, 4.2, true);
  result.Network.Name = "test";
  result.Network.SHA256 = std::string(64, 'a');
  result.TTA.Mode = "off";
  auto writer = FundusResultWriter::New();
  writer->SetOutputDirectory(MakeFolder("sample"));
  const auto files = writer->Write(result);
  ASSERT_EQ(files.size(), 6u);
  std::size_t inFolder = 0;
  for (const auto & entry : std::filesystem::directory_iterator(writer->GetOutputDirectory()))
  {
    ++inFolder;
    EXPECT_NE(std::find(files.begin(), files.end(), entry.path().string()), files.end()) << entry.path();
  }
  EXPECT_EQ(inFolder, 6u); // nothing temporary stays

  // Labels read back as they were.
  const auto labels = itk::ReadImage<itk::FundusPhotograph::StoredLabelImageType>(writer->GetOutputDirectory() +
                                                                                  std::string("/RET042OD_labels.nrrd"));
  ASSERT_EQ(labels->GetLargestPossibleRegion().GetNumberOfPixels(),
            result.Labels->GetBufferedRegion().GetNumberOfPixels());
  EXPECT_TRUE(std::equal(labels->GetBufferPointer(),
                         labels->GetBufferPointer() + result.Labels->GetBufferedRegion().GetNumberOfPixels(),
                         result.Labels->GetBufferPointer()));

  const json metrics = CheckedMetrics(result);
  EXPECT_NEAR(metrics["measurements"]["vcdr"].get<double>(), *result.Measurements.VerticalCupToDiscRatio, 1e-6);
  EXPECT_EQ(metrics["eye"], "OD");
  EXPECT_EQ(metrics["eye_source"], "file_name");
  EXPECT_EQ(metrics["model"]["sha256"], std::string(64, 'a'));
  EXPECT_EQ(metrics["profile"]["disc_radius_px"].size(), 360u);
  EXPECT_TRUE(metrics["ddls"]["stage"].is_number_integer());
  // The boundary inside is whole: the same measurements come out of it.
  const auto boundary = itk::NestedPolarBoundary::FromJSON(metrics["boundary"].dump());
  EXPECT_EQ(boundary->GetDiscRadii(), result.Boundary->GetDiscRadii());

  const std::string html = ReadText(writer->GetOutputDirectory() + std::string("/RET042OD_report.html"));
  EXPECT_NE(html.find("Research use"), std::string::npos);
  EXPECT_NE(html.find("<svg"), std::string::npos);
  EXPECT_EQ(html.find("http"), std::string::npos); // nothing from outside
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_LT(html.size(), 600000u);
  // A plain 1fr is as wide as the widest row of a table, and the table leaves the page.
  EXPECT_EQ(html.find(".two{grid-template-columns:1fr"), std::string::npos);
  EXPECT_NE(html.find("overflow-x:auto"), std::string::npos);
}

TEST(itkFundusResultWriter, SlicerSegmentationHasTwoLayers)
{
  const auto result = MakeSampleResult("RET042OS", EyeSideEnum::OS);
  std::filesystem::create_directories(MakeFolder("segmentation"));
  const std::string file = MakeFolder("segmentation") + "/a.seg.nrrd";
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  FundusResultWriter::WriteFile(result, FundusFileEnum::Segmentation, file);

  const auto io = itk::NrrdImageIO::New();
  io->SetFileName(file);
  io->ReadImageInformation();
  EXPECT_EQ(io->GetNumberOfComponents(), 2u);
  const auto value = [&io](const std::string & key) {
    std::string text;
    itk::ExposeMetaData<std::string>(io->GetMetaDataDictionary(), key, text);
    return text;
  };
  EXPECT_EQ(value("Segment0_Name"), "Optic disc");
  EXPECT_EQ(value("Segment1_Name"), "Optic cup");
  EXPECT_EQ(value("Segment0_Layer"), "0");
  EXPECT_EQ(value("Segment1_Layer"), "1");
  EXPECT_NE(value("Segment0_Tags").find("SCT^81016008^Optic disc~SCT^7771000^Left"), std::string::npos);
  EXPECT_NE(value("Segment1_Tags").find("99NPSNET^optic-cup^Optic cup"), std::string::npos);

  const auto  layers = itk::ReadImage<itk::VectorImage<unsigned char, 3>>(file);
  std::size_t disc = 0;
  std::size_t cup = 0;
  for (std::size_t k = 0; k < layers->GetLargestPossibleRegion().GetNumberOfPixels(); ++k)
  {
    const auto * pixel = layers->GetBufferPointer() + 2 * k;
    ASSERT_LE(pixel[1], pixel[0]); // disc contains cup
    disc += pixel[0];
    cup += pixel[1];
  }
  EXPECT_EQ(static_cast<double>(disc), *result.Measurements.DiscArea);
  EXPECT_EQ(static_cast<double>(cup), *result.Measurements.CupArea);
}

TEST(itkFundusResultWriter, LabelsGoBackToTheStoredGeometry)
{
  auto result = MakeSampleResult("RET042OD", EyeSideEnum::OD);
  auto turned = itk::FundusPhotograph::New();
  turned->SetImage(const_cast<RGBImage *>(result.Photograph->GetImage()));
  auto stored = result.Photograph->GetStored();
  std::swap(stored.Size[0], stored.Size[1]);
  stored.Orientation = 6;
  stored.Spacing = { { 0.01, 0.01, 1.0 } };
  stored.Origin = { { 5.0, -3.0, 2.0 } };
  turned->SetStored(stored);
  result.SetPhotograph(turned);
  auto writer = FundusResultWriter::New();
  writer->SetOutputDirectory(MakeFolder("turned"));
  writer->SetFiles(
    { FundusFileEnum::Labels, FundusFileEnum::Segmentation, FundusFileEnum::RimTable, FundusFileEnum::Metrics });
  EXPECT_EQ(writer->Write(result).size(), 4u);
  const auto labels = itk::ReadImage<itk::FundusPhotograph::StoredLabelImageType>(writer->GetOutputDirectory() +
                                                                                  std::string("/RET042OD_labels.nrrd"));
  EXPECT_EQ(labels->GetLargestPossibleRegion().GetSize()[0], stored.Size[0]);
  EXPECT_NEAR(labels->GetSpacing()[0], 0.01, 1e-9);
  EXPECT_NEAR(labels->GetOrigin()[1], -3.0, 1e-9);
  const std::size_t count = labels->GetLargestPossibleRegion().GetNumberOfPixels();
  EXPECT_EQ(static_cast<double>(count - static_cast<std::size_t>(std::count(
                                          labels->GetBufferPointer(), labels->GetBufferPointer() + count, 0))),
            *result.Measurements.DiscArea);
}

TEST(itkFundusResultWriter, RimTable)
{
  const auto result = MakeSampleResult("RET042OS", EyeSideEnum::OS, 5.0);
  const auto lines = Split(itk::RimCSV(result.Measurements), "\r\n");
  ASSERT_EQ(lines.size(), 361u);
  const auto head = Split(lines[0], ",");
  EXPECT_EQ(head[0], "theta_deg");
  const auto row = Split(lines[1 + 270], ",");
  ASSERT_EQ(row.size(), head.size());
  EXPECT_EQ(row[0], "270");
  EXPECT_EQ(row[1], "12");
  EXPECT_EQ(row[2], "S");
  const auto & ray = result.Measurements.Profile[270];
  EXPECT_NEAR(std::stod(row[6]), ray.RimWidth, 1e-3);
  EXPECT_NEAR(std::stod(row[11]), 5.0 * ray.RimWidth, 1e-2);
  EXPECT_EQ(Split(lines[1], ",")[2], "T"); // theta 0 of a left eye
  EXPECT_TRUE(row[12].empty());            // masks carry no confidence

  // Slicer reads tables with tabs: the same cells.
  const auto tabbed = Split(itk::RimCSV(result.Measurements, '\t'), "\n");
  ASSERT_EQ(tabbed.size(), lines.size());
  std::string commas = tabbed[1 + 270];
  std::replace(commas.begin(), commas.end(), '\t', ',');
  EXPECT_EQ(commas, lines[1 + 270]);
}

TEST(itkFundusResultWriter, WritesTheFilesAskedFor)
{
  const auto result = MakeSampleResult("RET042OD", EyeSideEnum::OD);
  auto       writer = FundusResultWriter::New();
  EXPECT_EQ(writer->GetFiles(), itk::AllFundusFiles());
  for (const FundusFileEnum kind : itk::AllFundusFiles())
  {
    const std::string ending = itk::FundusFileEnding(kind);
    writer->SetOutputDirectory(MakeFolder("asked"));
    writer->SetFiles({ kind });
    const auto written = writer->Write(result);
    ASSERT_EQ(written.size(), 1u) << ending;
    EXPECT_EQ(std::filesystem::path(written[0]).filename().string(), "RET042OD" + ending);
    const std::string alone = writer->GetOutputDirectory() + std::string("/alone") + ending;
    FundusResultWriter::WriteFile(result, kind, alone);
    EXPECT_EQ(ReadText(alone), ReadText(written[0])) << ending;
  }
}

TEST(itkFundusResultWriter, NothingSegmentedIsSaid)
{
  FundusResult result;
  result.Name = "bad, \"photo\"";
  result.Status = itk::FundusStatusEnum::NotFound;
  result.Message = "No optic disc was found: click its centre.";
  auto              writer = FundusResultWriter::New();
  const std::string folder = MakeFolder("nothing");
  writer->SetOutputDirectory(folder);
  auto earlier = MakeSampleResult("RET042OD", EyeSideEnum::OD);
  earlier.Name = result.Name;
  EXPECT_EQ(writer->Write(earlier).size(), 6u);
  const auto files = writer->Write(result);
  ASSERT_EQ(files.size(), 1u);
  for (const auto & entry : std::filesystem::directory_iterator(folder))
  {
    EXPECT_EQ(entry.path().string(), files[0]) << "of an earlier run";
  }
  const json metrics = CheckedMetrics(result);
  EXPECT_EQ(metrics["status"], "not_found");
  EXPECT_TRUE(metrics["measurements"]["vcdr"].is_null());
  EXPECT_EQ(metrics["missing"]["measurements.vcdr"], result.Message);
  EXPECT_NE(itk::ReportHTML(result).find("click its centre"), std::string::npos);

  const auto row = FundusResultTable::GetRow(result);
  ASSERT_EQ(row.size(), FundusResultTable::GetColumns().size());
  const std::string line = itk::ToCSVLine(row);
  EXPECT_EQ(
    line.rfind("\"bad, \"\"photo\"\"\",not_found,No optic disc was found: click its centre.,unknown,none,,,", 0), 0u);
  EXPECT_EQ(line.substr(line.size() - 2), "\r\n");
}

TEST(itkFundusResultWriter, BrokenSegmentationsGiveNullsWithReasons)
{
  // Eye unknown, no calibration, no confidence.
  auto       result = MakeSampleResult("RET042OD", EyeSideEnum::Unknown);
  const json metrics = CheckedMetrics(result);
  EXPECT_EQ(metrics["missing"]["isnt"], "eye unknown");
  EXPECT_EQ(metrics["missing"]["garway_heath"], "eye unknown");
  EXPECT_TRUE(metrics["ddls"].is_null());
  EXPECT_NE(metrics["missing"]["ddls"].get<std::string>().find("calibration"), std::string::npos);
  EXPECT_NE(metrics["missing"]["measurements.disc_height_um"].get<std::string>().find("calibration"),
            std::string::npos);
  EXPECT_FALSE(itk::ReportHTML(result).empty());

  // An empty label map, and a crescent that no ray from its centroid meets everywhere.
  for (const bool crescent : { false, true })
  {
    auto labels = MakeTestImage<GreyImage>(2576, 1934);
    for (itk::ImageRegionIteratorWithIndex<GreyImage> it(labels, labels->GetBufferedRegion());
         crescent && !it.IsAtEnd();
         ++it)
    {
      const double x = static_cast<double>(it.GetIndex()[0]) - 1200.0;
      const double y = static_cast<double>(it.GetIndex()[1]) - 900.0;
      it.Set(std::hypot(x, y) < 200.0 && std::hypot(x - 60.0, y) > 190.0 ? 1 : 0);
    }
    result.Labels = labels;
    result.Measurements = itk::RimMeasurementCalculator::New()->Compute(labels);
    const json broken = CheckedMetrics(result);
    EXPECT_TRUE(broken["measurements"]["min_rim_to_disc"].is_null());
    EXPECT_FALSE(broken["flags"].empty());
    auto writer = FundusResultWriter::New();
    writer->SetOutputDirectory(MakeFolder(crescent ? "crescent" : "empty"));
    EXPECT_EQ(writer->Write(result).size(), 6u);
  }

  // Bytes that are not UTF-8 in a name do not cost the result.
  result.InputFileName = "caf\xe9.jpg";
  EXPECT_NO_THROW(CheckedMetrics(result));
  EXPECT_NE(itk::ReportHTML(result).find("caf?.jpg"), std::string::npos);
}

TEST(itkFundusResultWriter, SaysWhatCannotBeWritten)
{
  auto result = MakeSampleResult("RET042OD", EyeSideEnum::OD);
  auto writer = FundusResultWriter::New();
  writer->SetOutputDirectory("/proc/npsnet");
  try
  {
    writer->Write(result);
    FAIL() << "no exception";
  }
  catch (const itk::ExceptionObject & error)
  {
    EXPECT_NE(std::string(error.GetDescription()).find("/proc/npsnet"), std::string::npos);
  }
  // Room for all but the largest: none of the others is written.
  const std::string folder = MakeFolder("full");
  writer->SetOutputDirectory(folder);
  {
    const FileSizeLimit limit(500000);
    EXPECT_EQ(WhyNot([&] { writer->Write(result); }), EFBIG);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  // Each file says why, also when only its last bytes have no room: afterwards no other check could tell a full disk.
  writer->Write(result);
  for (const FundusFileEnum kind : itk::AllFundusFiles())
  {
    const std::string ending = itk::FundusFileEnding(kind);
    const std::string file = folder + "/" + result.Name + ending;
    const auto        size = std::filesystem::file_size(file);
    for (const auto room : { size - 1, size / 2, size - size })
    {
      const FileSizeLimit limit(room);
      EXPECT_EQ(WhyNot([&] { FundusResultWriter::WriteFile(result, kind, file); }), EFBIG)
        << ending << ": " << room << " of " << size;
    }
    EXPECT_EQ(std::filesystem::file_size(file), size);
  }

  result.Name.clear();
  writer->SetOutputDirectory(MakeFolder("noname"));
  EXPECT_THROW(writer->Write(result), itk::ExceptionObject);
}

TEST(itkFundusResultWriter, OverlayShowsContoursWhereTheyAre)
{
  const auto result = MakeSampleResult("RET042OD", EyeSideEnum::OD, 0.0, true);
  const auto overlay = itk::FundusOverlay::Draw(result);
  ASSERT_EQ(overlay->GetBufferedRegion(), result.Photograph->GetImage()->GetBufferedRegion());
  const auto at = [&](int theta, bool disc) {
    const auto & ray = result.Measurements.Profile[static_cast<std::size_t>(theta)];
    const double radius = disc ? ray.DiscRadius : ray.CupRadius;
    const double angle = theta * itk::Math::pi / 180.0;
    return overlay->GetPixel({ { static_cast<itk::IndexValueType>(
                                   std::lround((*result.Measurements.DiscCentroid)[0] + radius * std::cos(angle))),
                                 static_cast<itk::IndexValueType>(
                                   std::lround((*result.Measurements.DiscCentroid)[1] + radius * std::sin(angle))) } });
  };
  for (const int theta : { 30, 100, 200, 350 })
  {
    const auto disc = at(theta, true);
    const auto cup = at(theta, false);
    for (unsigned int c = 0; c < 3; ++c)
    {
      EXPECT_NEAR(disc[c], itk::Palette::DiscContour[c], 12) << theta;
      EXPECT_NEAR(cup[c], itk::Palette::CupContour[c], 12) << theta;
    }
  }
  // Far from the disc the photograph is untouched.
  EXPECT_EQ(overlay->GetPixel({ { 200, 900 } }), result.Photograph->GetImage()->GetPixel({ { 200, 900 } }));
  EXPECT_EQ(itk::FundusOverlay::DrawZoom(result, 300)->GetBufferedRegion().GetSize()[0], 300u);
}
