// SPDX-License-Identifier: Apache-2.0
// The modules as Slicer runs them: its own parser reads every XML, its own logic executes NPSNetSegment on a volume of
// the scene.
#include "TestFolder.h"
#include "itkFundusPhotographReader.h"

#include <gtest/gtest.h>

#include <vtkCacheManager.h>
#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkMRMLCommandLineModuleNode.h>
#include <vtkMRMLLabelMapVolumeNode.h>
#include <vtkMRMLMarkupsFiducialNode.h>
#include <vtkMRMLScene.h>
#include <vtkMRMLTableNode.h>
#include <vtkMRMLVectorVolumeNode.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkSlicerApplicationLogic.h>
#include <vtkSlicerCLIModuleLogic.h>
#include <vtkTable.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

// The SDK ships libModuleDescriptionParser.so without its headers; these members are exported by it.
class ModuleDescription
{
public:
  ModuleDescription() = delete;
  void SetTarget(const std::string&);
  void SetType(const std::string&);
  void SetLocation(const std::string&);
};
class ModuleDescriptionParser
{
public:
  int Parse(const std::string& xml, ModuleDescription& description);
  char Unused[64] = {};
};

namespace
{
std::string Executable(const std::string& name)
{
  return std::string(NPSNET_BIN_DIR) + "/" + name;
}

std::string OutputOf(const std::string& command)
{
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  char bytes[4096];
  while (const std::size_t count = fread(bytes, 1, sizeof(bytes), pipe))
  {
    text.append(bytes, count);
  }
  pclose(pipe);
  return text;
}

class SlicerCLI : public ::testing::Test
{
protected:
  void SetUp() override
  {
    this->Temporary = TestFolder();
    this->Application->SetMRMLScene(this->Scene);
    this->Cache->SetMRMLScene(this->Scene);
    this->Cache->SetRemoteCacheDirectory(this->Temporary.c_str());
    this->Scene->SetCacheManager(this->Cache); // else the request to read outputs crashes
    this->Application->SetTemporaryPath(this->Temporary.c_str());
    // Slicer gives the whole process the lowest priority otherwise, and its children inherit it.
    setenv("SLICER_BACKGROUND_THREAD_PRIORITY", "0", 1);
    this->Application->CreateProcessingThread();
    this->Scene->RegisterNodeClass(vtkNew<vtkMRMLCommandLineModuleNode>());
    this->Logic->SetMRMLApplicationLogic(this->Application);
    this->Logic->SetMRMLScene(this->Scene);
    this->Logic->SetAllowInMemoryTransfer(0);
  }

  void TearDown() override { this->Application->TerminateProcessingThread(); }

  vtkMRMLCommandLineModuleNode* MakeNode(const std::string& module)
  {
    auto* node =
      vtkMRMLCommandLineModuleNode::SafeDownCast(this->Scene->AddNewNodeByClass("vtkMRMLCommandLineModuleNode"));
    ModuleDescriptionParser parser;
    EXPECT_EQ(parser.Parse(OutputOf(Executable(module) + " --xml"), node->GetModuleDescription()), 0) << module;
    node->GetModuleDescription().SetType("CommandLineModule");
    node->GetModuleDescription().SetTarget(Executable(module));
    node->GetModuleDescription().SetLocation(Executable(module));
    return node;
  }

  /// A photo as Slicer loads it: pixels in the file's order, LPS axes of the file become RAS.
  vtkMRMLVectorVolumeNode* LoadPhoto(const std::string& name)
  {
    auto reader = itk::FundusPhotographReader::New();
    reader->SetFileName(std::string(NPSNET_RESOURCES_DIR) + "/SampleData/" + name);
    reader->Update();
    const auto* image = reader->GetPhotograph()->GetImage();
    const auto size = image->GetLargestPossibleRegion().GetSize();
    vtkNew<vtkImageData> pixels;
    pixels->SetDimensions(static_cast<int>(size[0]), static_cast<int>(size[1]), 1);
    pixels->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
    std::memcpy(pixels->GetScalarPointer(), image->GetBufferPointer(), 3 * size[0] * size[1]);
    auto* volume =
      vtkMRMLVectorVolumeNode::SafeDownCast(this->Scene->AddNewNodeByClass("vtkMRMLVectorVolumeNode", "photo"));
    volume->SetAndObserveImageData(pixels);
    volume->SetIJKToRASDirections(-1, 0, 0, 0, -1, 0, 0, 0, 1);
    return volume;
  }

  static std::array<long, 3> CountLabels(vtkMRMLVolumeNode* volume)
  {
    std::array<long, 3> counts{};
    if (volume->GetImageData() == nullptr)
    {
      return counts;
    }
    vtkDataArray* values = volume->GetImageData()->GetPointData()->GetScalars();
    for (vtkIdType i = 0; i < values->GetNumberOfTuples(); ++i)
    {
      const auto value = static_cast<std::size_t>(values->GetTuple1(i));
      EXPECT_LT(value, counts.size());
      ++counts[std::min<std::size_t>(value, 2)];
    }
    return counts;
  }

  std::string Temporary;
  vtkNew<vtkMRMLScene> Scene;
  vtkNew<vtkSlicerApplicationLogic> Application;
  vtkNew<vtkCacheManager> Cache;
  vtkNew<vtkSlicerCLIModuleLogic> Logic;
};
} // namespace

TEST_F(SlicerCLI, ParsesEveryModule)
{
  EXPECT_EQ(this->MakeNode("NPSNetSegment")->GetModuleTitle(), "NPS-Net Segment");
  EXPECT_EQ(this->MakeNode("NPSNetBatch")->GetModuleTitle(), "NPS-Net Batch");
  EXPECT_EQ(this->MakeNode("NPSNetLocate")->GetModuleTitle(), "NPS-Net Locate");
  EXPECT_EQ(this->MakeNode("NPSNetEvaluate")->GetModuleTitle(), "NPS-Net Evaluate");
  EXPECT_EQ(this->MakeNode("NPSNetTrain")->GetModuleTitle(), "NPS-Net Train");
}

TEST_F(SlicerCLI, SegmentsAVolumeOfTheScene)
{
  vtkMRMLCommandLineModuleNode* node = this->MakeNode("NPSNetSegment");
  vtkMRMLVectorVolumeNode* photo = this->LoadPhoto("RET023OD.jpg");
  auto* labels =
    vtkMRMLLabelMapVolumeNode::SafeDownCast(this->Scene->AddNewNodeByClass("vtkMRMLLabelMapVolumeNode", "labels"));
  auto* table = vtkMRMLTableNode::SafeDownCast(this->Scene->AddNewNodeByClass("vtkMRMLTableNode", "rim"));
  node->SetParameterAsNode("inputVolume", photo);
  node->SetParameterAsNode("outputLabels", labels);
  node->SetParameterAsNode("rimTable", table);
  node->SetParameterAsString("eye", "OD");
  node->SetParameterAsString("ttaMode", "off");
  this->Logic->ApplyAndWait(node, false);
  ASSERT_EQ(node->GetStatus(), static_cast<int>(vtkMRMLCommandLineModuleNode::Completed))
    << node->GetStatusString() << "\n"
    << node->GetErrorText() << "\n"
    << node->GetOutputText();
  const auto counts = CountLabels(labels);
  EXPECT_GT(counts[1], 1000);
  EXPECT_GT(counts[2], 100);
  int dimensions[3];
  labels->GetImageData()->GetDimensions(dimensions);
  int photoDimensions[3];
  photo->GetImageData()->GetDimensions(photoDimensions);
  EXPECT_TRUE(std::equal(dimensions, dimensions + 3, photoDimensions));
  const double ratio = std::stod(node->GetParameterAsString("verticalCupToDiscRatio"));
  EXPECT_GT(ratio, 0.1);
  EXPECT_LT(ratio, 0.95);
  EXPECT_EQ(node->GetParameterAsString("eyeUsed"), "OD");
  ASSERT_TRUE(table->GetTable() != nullptr);
  EXPECT_GT(table->GetTable()->GetNumberOfRows(), 300);
  EXPECT_GT(table->GetTable()->GetNumberOfColumns(), 3);
}

TEST_F(SlicerCLI, AFiducialPlacesTheCrop)
{
  vtkMRMLCommandLineModuleNode* node = this->MakeNode("NPSNetSegment");
  vtkMRMLVectorVolumeNode* photo = this->LoadPhoto("RET023OD.jpg");
  auto* labels =
    vtkMRMLLabelMapVolumeNode::SafeDownCast(this->Scene->AddNewNodeByClass("vtkMRMLLabelMapVolumeNode", "labels"));
  auto* point =
    vtkMRMLMarkupsFiducialNode::SafeDownCast(this->Scene->AddNewNodeByClass("vtkMRMLMarkupsFiducialNode", "center"));
  const double wanted[2] = {900.0, 700.0};           // photo pixels
  point->AddControlPoint(-wanted[0], -wanted[1], 0); // RAS
  node->SetParameterAsNode("inputVolume", photo);
  node->SetParameterAsNode("outputLabels", labels);
  node->SetParameterAsNode("center", point);
  node->SetParameterAsString("metricsFile", this->Temporary + "/clicked.json");
  node->SetParameterAsString("ttaMode", "off");
  this->Logic->ApplyAndWait(node, false);
  EXPECT_EQ(node->GetStatus(), static_cast<int>(vtkMRMLCommandLineModuleNode::Completed))
    << node->GetErrorText() << "\n"
    << node->GetOutputText();
  const std::string text = OutputOf("cat " + this->Temporary + "/clicked.json");
  EXPECT_NE(text.find("\"user\""), std::string::npos) << text.substr(0, 2000);
  EXPECT_NE(text.find("900"), std::string::npos);
}

TEST_F(SlicerCLI, AnErrorReachesSlicer)
{
  vtkMRMLCommandLineModuleNode* node = this->MakeNode("NPSNetSegment");
  node->SetParameterAsNode("inputVolume", this->LoadPhoto("RET023OD.jpg"));
  node->SetParameterAsString("model", "/nowhere/model.pth");
  this->Logic->ApplyAndWait(node, false);
  EXPECT_EQ(node->GetStatus(), static_cast<int>(vtkMRMLCommandLineModuleNode::CompletedWithErrors));
  EXPECT_NE(node->GetErrorText().find("/nowhere/model.pth"), std::string::npos) << node->GetErrorText();
}
