// SPDX-License-Identifier: Apache-2.0
// Segmentation and report of a DICOM photograph, written and read back.
#include "itkFundusDICOMReader.h"
#include "itkFundusDICOMWriter.h"

#include "PhotoFiles.h"
#include "TestFolder.h"
#include "itkFundusPhotographReader.h"
#include "itkRimMeasurementCalculator.h"

#include "dcmtk/config/osconfig.h"
#include "dcmtk/dcmdata/dctk.h"
#include "dcmtk/dcmsr/dsrdoc.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <map>

namespace
{
constexpr unsigned int Rows = 60;
constexpr unsigned int Columns = 80;

struct Photo
{
  std::string  UID{ "1.2.3.1" };
  std::string  Spacing;
  std::string  Laterality{ "L" };
  unsigned int Frames{ 1 };
};

std::string WritePhoto(const std::string & name, const Photo & photo = Photo())
{
  DcmFileFormat file;
  DcmDataset &  data = *file.getDataset();
  const auto    put = [&data](const DcmTagKey & tag, const std::string & value) {
    EXPECT_TRUE(data.putAndInsertString(tag, value.c_str()).good());
  };
  put(DCM_SpecificCharacterSet, "ISO_IR 100");
  put(DCM_SOPClassUID, UID_OphthalmicPhotography8BitImageStorage);
  put(DCM_SOPInstanceUID, photo.UID);
  put(DCM_StudyInstanceUID, "1.2.3.8");
  put(DCM_SeriesInstanceUID, "1.2.3.9");
  put(DCM_StudyDate, "20260102");
  put(DCM_StudyTime, "101112");
  put(DCM_AccessionNumber, "ACC");
  put(DCM_StudyID, "S");
  put(DCM_ReferringPhysicianName, "");
  put(DCM_PatientName, "Doe^Jane");
  put(DCM_PatientID, "P-1");
  put(DCM_PatientBirthDate, "19500101");
  put(DCM_PatientSex, "F");
  put(DCM_Modality, "OP");
  put(DCM_ImageLaterality, photo.Laterality);
  put(DCM_PhotometricInterpretation, "RGB");
  put(DCM_NumberOfFrames, std::to_string(photo.Frames));
  if (!photo.Spacing.empty())
  {
    put(DCM_PixelSpacing, photo.Spacing);
  }
  const std::pair<DcmTagKey, Uint16> numbers[] = { { DCM_SamplesPerPixel, 3 }, { DCM_PlanarConfiguration, 0 },
                                                   { DCM_Rows, Rows },         { DCM_Columns, Columns },
                                                   { DCM_BitsAllocated, 8 },   { DCM_BitsStored, 8 },
                                                   { DCM_HighBit, 7 },         { DCM_PixelRepresentation, 0 } };
  for (const auto & [tag, value] : numbers)
  {
    EXPECT_TRUE(data.putAndInsertUint16(tag, value).good());
  }
  const std::vector<Uint8> pixels(std::size_t{ 3 } * Rows * Columns * photo.Frames, 100);
  EXPECT_TRUE(data.putAndInsertUint8Array(DCM_PixelData, pixels.data(), pixels.size()).good());
  const std::string path = TestFolder() + "/" + name;
  EXPECT_TRUE(file.saveFile(path.c_str(), EXS_LittleEndianExplicit).good());
  return path;
}

/** A cup in a disc, measured as the network's outlines are. */
itk::FundusResult MakeResult(const std::string & path, bool withCup = true)
{
  auto reader = itk::FundusPhotographReader::New();
  reader->SetFileName(path);
  reader->Update();
  itk::FundusResult result;
  result.Name = "photo";
  result.InputFileName = path;
  result.Status = itk::FundusStatusEnum::Ok;
  result.SetPhotograph(reader->GetPhotograph());
  result.Eye = itk::EyeSideEnum::OS;
  result.Network.Name = "a network";
  result.Network.SHA256 = std::string(64, 'a');

  auto         labels = itk::FundusPhotograph::LabelImageType::New();
  const auto * image = reader->GetPhotograph()->GetImage();
  labels->CopyInformation(image);
  labels->SetRegions(image->GetLargestPossibleRegion());
  labels->Allocate(true);
  for (int y = 0; y < static_cast<int>(Rows); ++y)
  {
    for (int x = 0; x < static_cast<int>(Columns); ++x)
    {
      const int disc = (x - 35) * (x - 35) + (y - 30) * (y - 30);
      const int cup = (x - 37) * (x - 37) + (y - 31) * (y - 31);
      labels->SetPixel({ { x, y } }, disc > 400 ? 0 : withCup && cup <= 100 ? 2 : 1);
    }
  }
  result.Labels = labels;
  auto calculator = itk::RimMeasurementCalculator::New();
  calculator->SetEye(result.Eye);
  calculator->SetMicrometersPerPixel(reader->GetPhotograph()->GetMicrometersPerPixel());
  calculator->SetPhotograph(image);
  result.Measurements = calculator->Compute(labels);
  return result;
}

itk::FundusDICOMWriter::Pointer MakeWriter(const std::string & path)
{
  auto writer = itk::FundusDICOMWriter::New();
  writer->SetPhotographFileName(path);
  return writer;
}

std::string SentenceOf(const std::function<void()> & action)
{
  try
  {
    action();
  }
  catch (const itk::ExceptionObject & error)
  {
    return error.GetDescription();
  }
  return "";
}

/** Numbers of a report by concept, in the order of the document. */
std::multimap<std::string, std::string> NumbersOf(DSRDocument & document)
{
  std::multimap<std::string, std::string> numbers;
  DSRDocumentTree &                       tree = document.getTree();
  tree.gotoRoot();
  do
  {
    const DSRContentItem & item = tree.getCurrentContentItem();
    if (item.getValueType() == DSRTypes::VT_Num)
    {
      numbers.emplace(item.getConceptName().getCodeValue().c_str(), item.getNumericValue().getNumericValue().c_str());
    }
  } while (tree.iterate() != 0);
  return numbers;
}

DcmFileFormat Load(const std::string & path)
{
  DcmFileFormat file;
  EXPECT_TRUE(file.loadFile(path.c_str()).good());
  return file;
}

std::string TextOf(DcmItem & item, const DcmTagKey & tag)
{
  OFString value;
  item.findAndGetOFString(tag, value);
  return value.c_str();
}
} // namespace

TEST(FundusDICOM, OutlinesComeBackPixelForPixel)
{
  const auto path = WritePhoto("photo.dcm");
  const auto result = MakeResult(path);
  const auto segmentation = TestFolder() + "/photo_seg.dcm";
  MakeWriter(path)->WriteSegmentation(result, segmentation);

  const auto labels = itk::FundusDICOMReader::ReadSegmentation(segmentation, path);
  const auto expected = result.Photograph->UprightToStoredLabels(result.Labels);
  const auto count = expected->GetBufferedRegion().GetNumberOfPixels();
  ASSERT_EQ(labels->GetBufferedRegion().GetNumberOfPixels(), count);
  ASSERT_EQ(labels->GetBufferedRegion().GetSize(0), Columns);
  EXPECT_TRUE(
    std::equal(expected->GetBufferPointer(), expected->GetBufferPointer() + count, labels->GetBufferPointer()));

  const auto description = itk::FundusDICOMReader::Describe(segmentation);
  EXPECT_EQ(description.What, itk::FundusDICOMObject::Kind::Segmentation);
  EXPECT_NE(std::find(description.Photographs.begin(), description.Photographs.end(), "1.2.3.1"),
            description.Photographs.end());
}

TEST(FundusDICOM, DiscWithoutCupComesBack)
{
  const auto path = WritePhoto("photo.dcm");
  const auto result = MakeResult(path, false);
  const auto segmentation = TestFolder() + "/photo_seg.dcm";
  MakeWriter(path)->WriteSegmentation(result, segmentation);
  const auto labels = itk::FundusDICOMReader::ReadSegmentation(segmentation, path);
  const auto count = labels->GetBufferedRegion().GetNumberOfPixels();
  EXPECT_EQ(*std::max_element(labels->GetBufferPointer(), labels->GetBufferPointer() + count), 1);
}

TEST(FundusDICOM, ObjectsJoinTheStudyOfThePhotograph)
{
  const auto path = WritePhoto("photo.dcm");
  const auto result = MakeResult(path);
  const auto stem = TestFolder() + "/photo";
  MakeWriter(path)->WriteSegmentation(result, stem + "_seg.dcm");
  MakeWriter(path)->WriteReport(result, stem + "_seg.dcm", stem + "_sr.dcm");
  for (const char * ending : { "_seg.dcm", "_sr.dcm" })
  {
    auto         file = Load(stem + ending);
    DcmDataset & data = *file.getDataset();
    EXPECT_EQ(TextOf(data, DCM_StudyInstanceUID), "1.2.3.8");
    EXPECT_NE(TextOf(data, DCM_SeriesInstanceUID), "1.2.3.9");
    EXPECT_EQ(TextOf(data, DCM_SOPInstanceUID).rfind("2.25.", 0), 0U);
    EXPECT_EQ(TextOf(data, DCM_PatientName), "Doe^Jane");
    EXPECT_EQ(TextOf(data, DCM_PatientID), "P-1");
    EXPECT_EQ(TextOf(data, DCM_AccessionNumber), "ACC");
    EXPECT_EQ(TextOf(data, DCM_StudyDate), "20260102");
  }
}

TEST(FundusDICOM, ReportHoldsTheMeasurements)
{
  Photo calibrated;
  calibrated.Spacing = "0.02\\0.02";
  const auto path = WritePhoto("photo.dcm", calibrated);
  const auto result = MakeResult(path);
  const auto report = TestFolder() + "/photo_sr.dcm";
  MakeWriter(path)->WriteReport(result, "", report);
  auto        file = Load(report);
  DSRDocument document;
  ASSERT_TRUE(document.read(*file.getDataset()).good());
  EXPECT_EQ(document.getVerificationFlag(), DSRTypes::VF_Unverified);

  const auto   numbers = NumbersOf(document);
  const auto & m = result.Measurements;
  const auto   number = [&numbers](const std::string & code) { return std::stod(numbers.find(code)->second); };
  ASSERT_EQ(numbers.count("131257"), 1U);
  EXPECT_NEAR(number("131257"), *m.VerticalCupToDiscRatio, 1e-7);
  EXPECT_NEAR(number("131258"), *m.HorizontalCupToDiscRatio, 1e-7);
  EXPECT_NEAR(number("131256"), *m.AreaCupToDiscRatio, 1e-7);
  EXPECT_NEAR(number("131262"), *m.DiscArea * 4e-4, 1e-7);
  EXPECT_NEAR(number("131261"), *m.CupArea * 4e-4, 1e-7);
  EXPECT_NEAR(number("131259"), *m.RimArea * 4e-4, 1e-7);
  // the mean first, then four quadrants and twelve clock hours
  ASSERT_EQ(numbers.count("131260"), 17U);
  EXPECT_NEAR(number("131260"), *m.MeanRimWidth * 20.0, 1e-4);

  const auto description = itk::FundusDICOMReader::Describe(report);
  EXPECT_EQ(description.What, itk::FundusDICOMObject::Kind::Report);
  EXPECT_EQ(description.Eye, itk::EyeSideEnum::OS);
  EXPECT_NO_THROW(itk::FundusDICOMReader::RequireReportOf(report, path));
}

TEST(FundusDICOM, WithoutCalibrationThereAreNoLengths)
{
  const auto path = WritePhoto("photo.dcm");
  const auto report = TestFolder() + "/photo_sr.dcm";
  MakeWriter(path)->WriteReport(MakeResult(path), "", report);
  auto        file = Load(report);
  DSRDocument document;
  ASSERT_TRUE(document.read(*file.getDataset()).good());
  const auto numbers = NumbersOf(document);
  for (const char * code : { "131259", "131260", "131261", "131262" })
  {
    EXPECT_EQ(numbers.count(code), 0U) << code;
  }
  EXPECT_EQ(numbers.count("131257"), 1U);
  EXPECT_EQ(numbers.count("rim-to-disc"), 16U);
}

TEST(FundusDICOM, SameResultHasTheSameUIDs)
{
  const auto path = WritePhoto("photo.dcm");
  const auto result = MakeResult(path);
  const auto stem = TestFolder() + "/";
  setenv("SOURCE_DATE_EPOCH", "1767348672", 1);
  for (const char * run : { "a", "b" })
  {
    MakeWriter(path)->WriteSegmentation(result, stem + run + "_seg.dcm");
    MakeWriter(path)->WriteReport(result, stem + run + "_seg.dcm", stem + run + "_sr.dcm");
  }
  unsetenv("SOURCE_DATE_EPOCH");
  EXPECT_EQ(ReadAllBytes(stem + "a_seg.dcm"), ReadAllBytes(stem + "b_seg.dcm"));
  EXPECT_EQ(ReadAllBytes(stem + "a_sr.dcm"), ReadAllBytes(stem + "b_sr.dcm"));

  const auto other = MakeResult(path, false);
  MakeWriter(path)->WriteSegmentation(other, stem + "c_seg.dcm");
  auto a = Load(stem + "a_seg.dcm");
  auto c = Load(stem + "c_seg.dcm");
  EXPECT_NE(TextOf(*a.getDataset(), DCM_SOPInstanceUID), TextOf(*c.getDataset(), DCM_SOPInstanceUID));
  EXPECT_EQ(TextOf(*a.getDataset(), DCM_SeriesInstanceUID), TextOf(*c.getDataset(), DCM_SeriesInstanceUID));
}

TEST(FundusDICOM, NewVersionIsSignedAndRefersToTheOld)
{
  const auto path = WritePhoto("photo.dcm");
  const auto stem = TestFolder() + "/";
  MakeWriter(path)->WriteReport(MakeResult(path), "", stem + "old_sr.dcm");
  auto writer = MakeWriter(path);
  writer->SetPersonName("Reader^Rita");
  writer->SetOrganization("Eye clinic");
  writer->SetPreviousReportFileName(stem + "old_sr.dcm");
  writer->WriteReport(MakeResult(path, false), "", stem + "new_sr.dcm");

  auto        oldFile = Load(stem + "old_sr.dcm");
  auto        newFile = Load(stem + "new_sr.dcm");
  DSRDocument document;
  ASSERT_TRUE(document.read(*newFile.getDataset()).good());
  EXPECT_EQ(document.getVerificationFlag(), DSRTypes::VF_Verified);
  auto & predecessors = document.getPredecessorDocuments();
  ASSERT_TRUE(predecessors.gotoFirstItem().good());
  OFString uid;
  EXPECT_EQ(predecessors.getSOPInstanceUID(uid).c_str(), TextOf(*oldFile.getDataset(), DCM_SOPInstanceUID));
  EXPECT_NE(document.getTree().gotoNamedNode(DSRCodedEntryValue("121008", "DCM", "Person Observer Name")), 0U);
}

TEST(FundusDICOM, OutlinesOfAnotherPhotographAreRefused)
{
  const auto path = WritePhoto("photo.dcm");
  const auto segmentation = TestFolder() + "/photo_seg.dcm";
  const auto report = TestFolder() + "/photo_sr.dcm";
  MakeWriter(path)->WriteSegmentation(MakeResult(path), segmentation);
  MakeWriter(path)->WriteReport(MakeResult(path), segmentation, report);
  Photo another;
  another.UID = "1.2.3.2";
  const auto other = WritePhoto("other.dcm", another);
  EXPECT_NE(SentenceOf([&] {
              itk::FundusDICOMReader::ReadSegmentation(segmentation, other);
            }).find("was drawn on another photograph"),
            std::string::npos);
  EXPECT_NE(SentenceOf([&] { itk::FundusDICOMReader::RequireReportOf(report, other); }).find("is about another"),
            std::string::npos);
  EXPECT_NE(SentenceOf([&] { itk::FundusDICOMReader::RequireReportOf(segmentation, path); }).find("is not a report"),
            std::string::npos);
  EXPECT_NE(SentenceOf([&] { itk::FundusDICOMReader::ReadSegmentation(report, path); }).find("is not a DICOM segm"),
            std::string::npos);
}

TEST(FundusDICOM, AFileThatIsNotDICOMIsRefused)
{
  const auto path = WritePhoto("photo.dcm");
  const auto result = MakeResult(path);
  const auto text = TestFolder() + "/photo.jpg";
  WriteBytes(text, Bytes(200, 'x'));
  EXPECT_NE(SentenceOf([&] {
              MakeWriter(text)->WriteSegmentation(result, TestFolder() + "/x_seg.dcm");
            }).find("is not a DICOM file, so there is no study"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(TestFolder() + "/x_seg.dcm"));
}

TEST(FundusDICOM, OneFrameOfSeveralIsReferredTo)
{
  Photo two;
  two.Frames = 2;
  const auto path = WritePhoto("photo.dcm", two);
  const auto segmentation = TestFolder() + "/photo_seg.dcm";
  auto       writer = MakeWriter(path);
  writer->SetFrame(1);
  writer->WriteSegmentation(MakeResult(path), segmentation);
  auto      file = Load(segmentation);
  DcmItem * frame = nullptr;
  DcmItem * derivation = nullptr;
  DcmItem * source = nullptr;
  ASSERT_TRUE(file.getDataset()->findAndGetSequenceItem(DCM_PerFrameFunctionalGroupsSequence, frame, 0).good());
  ASSERT_TRUE(frame->findAndGetSequenceItem(DCM_DerivationImageSequence, derivation, 0).good());
  ASSERT_TRUE(derivation->findAndGetSequenceItem(DCM_SourceImageSequence, source, 0).good());
  EXPECT_EQ(TextOf(*source, DCM_ReferencedFrameNumber), "2");
  EXPECT_EQ(TextOf(*source, DCM_ReferencedSOPInstanceUID), "1.2.3.1");
}

/** Wherever the file is cut or a byte is wrong, there is a sentence or a result, and the program goes on. */
TEST(FundusDICOM, DamagedObjectsAreRefusedWithASentence)
{
  const auto path = WritePhoto("photo.dcm");
  const auto segmentation = TestFolder() + "/photo_seg.dcm";
  const auto report = TestFolder() + "/photo_sr.dcm";
  MakeWriter(path)->WriteSegmentation(MakeResult(path), segmentation);
  MakeWriter(path)->WriteReport(MakeResult(path), segmentation, report);
  const auto damaged = TestFolder() + "/damaged.dcm";
  unsigned   refused = 0;
  for (const auto & source : { segmentation, report })
  {
    const Bytes whole = ReadAllBytes(source);
    for (std::size_t k = 140; k < whole.size(); k += whole.size() / 60)
    {
      for (const bool cut : { true, false })
      {
        Bytes bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut ? k : whole.size()));
        if (!cut)
        {
          bytes[k] ^= 0xFF;
        }
        WriteBytes(damaged, bytes);
        const auto sentence = SentenceOf([&] {
          itk::FundusDICOMReader::Describe(damaged);
          itk::FundusDICOMReader::ReadSegmentation(damaged, path);
        });
        refused += sentence.empty() ? 0 : 1;
        EXPECT_TRUE(sentence.empty() || sentence.rfind(damaged, 0) == 0) << sentence;
      }
    }
  }
  EXPECT_GT(refused, 100U);
}

namespace
{
std::string WhyUnreadable(const std::string & path)
{
  return SentenceOf([&] {
    auto reader = itk::FundusPhotographReader::New();
    reader->SetFileName(path);
    reader->Update();
  });
}
} // namespace

/** Both libraries go down by recursion: twenty thousand levels would end the program. */
TEST(FundusDICOM, SequencesWithoutEndAreRefused)
{
  const Bytes whole = ReadAllBytes(WritePhoto("photo.dcm"));
  const Bytes pixels{ 0xE0, 0x7F, 0x10, 0x00 };
  const auto  at = std::find_end(whole.begin(), whole.end(), pixels.begin(), pixels.end());
  ASSERT_NE(at, whole.end());
  const Bytes open{ 0x40, 0,    0x30, 0xA7, 'S', 'Q',  0,    0,    0xFF, 0xFF,
                    0xFF, 0xFF, 0xFE, 0xFF, 0,   0xE0, 0xFF, 0xFF, 0xFF, 0xFF };
  Bytes       nested(whole.begin(), at);
  for (int level = 0; level < 20000; ++level)
  {
    Append(nested, open);
  }
  Append(nested, Bytes(at, whole.end()));
  const std::string path = TestFolder() + "/nested.dcm";
  WriteBytes(path, nested);
  EXPECT_NE(WhyUnreadable(path).find("is damaged"), std::string::npos) << WhyUnreadable(path);
  EXPECT_NE(SentenceOf([&] { itk::FundusDICOMReader::Describe(path); }).find("sequences without end"),
            std::string::npos);
}

TEST(FundusDICOM, FewerPixelsThanRowsAndColumnsAreRefused)
{
  const std::string path = WritePhoto("photo.dcm");
  DcmFileFormat     file = Load(path);
  ASSERT_TRUE(file.getDataset()->putAndInsertUint16(DCM_Rows, 10 * Rows).good());
  ASSERT_TRUE(file.saveFile((TestFolder() + "/tall.dcm").c_str(), EXS_LittleEndianExplicit).good());
  EXPECT_EQ(WhyUnreadable(path), "");
  EXPECT_NE(WhyUnreadable(TestFolder() + "/tall.dcm").find("ends early or is damaged"), std::string::npos);
}

TEST(FundusDICOM, AReportIsNotAPhotograph)
{
  const auto path = WritePhoto("photo.dcm");
  const auto report = TestFolder() + "/photo_sr.dcm";
  MakeWriter(path)->WriteReport(MakeResult(path), "", report);
  EXPECT_NE(WhyUnreadable(report).find("is a DICOM object without pixels"), std::string::npos) << WhyUnreadable(report);
}
