// SPDX-License-Identifier: Apache-2.0
#include "itkOpticDiscEvaluation.h"

#include "itkAtomicFile.h"
#include "itkEnumText.h"
#include "itkExceptionSentence.h"
#include "itkFundusPhotographReader.h"
#include "itkFundusRegionOfInterestImageFilter.h"
#include "itkHash.h"
#include "itkNPSNetThrow.h"
#include "itkNestedLabelValidity.h"
#include "itkNestedPolarBoundaryToLabelImageFilter.h"
#include "itkPixelBox.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <filesystem>

namespace itk
{
namespace
{
using LabelImageType = OpticDiscEvaluation::LabelImageType;
using Row = OpticDiscEvaluation::Row;

constexpr unsigned int CropSize = 512;

LabelImageType::Pointer CropLabels(const LabelImageType * labels, const FundusResult::Crop & crop)
{
  const auto                filter = FundusRegionOfInterestImageFilter<LabelImageType>::New();
  LabelImageType::PointType center;
  labels->TransformContinuousIndexToPhysicalPoint(crop.Center, center);
  filter->SetInput(labels);
  filter->SetCenter(center);
  filter->SetSide(crop.Side);
  filter->SetNumberOfPixels(crop.Size);
  filter->NearestNeighborOn();
  filter->Update();
  return filter->GetOutput();
}

LabelImageType::Pointer Rasterize(const NestedPolarBoundary * boundary, const LabelImageType * reference)
{
  const auto filter = NestedPolarBoundaryToLabelImageFilter::New();
  filter->SetBoundary(boundary);
  filter->SetReferenceImage(reference);
  filter->Update();
  return filter->GetOutput();
}

constexpr EnumText<OpticDiscEvaluation::ProtocolEnum> Protocols[] = {
  { OpticDiscEvaluation::ProtocolEnum::Paper, "paper" },
  { OpticDiscEvaluation::ProtocolEnum::Jittered, "jittered" },
  { OpticDiscEvaluation::ProtocolEnum::EndToEnd, "end-to-end" }
};

/** The same number in [-1, 1) for the same seed, name and purpose, whatever else is evaluated. */
double Jitter(unsigned int seed, const std::string & name, unsigned int purpose)
{
  FNV1aHash all;
  all.Update(name);
  all.UpdateNumber(seed, 4);
  all.UpdateNumber(purpose, 1);
  std::uint64_t hash = all.GetValue();
  hash ^= hash >> 33;
  hash *= 0xff51afd7ed558ccdULL;
  hash ^= hash >> 33;
  return static_cast<double>(hash >> 11) * 0x1.0p-53 * 2.0 - 1.0;
}

} // namespace

std::vector<std::pair<std::string, std::optional<double>>> Row::ToList() const
{
  auto list = (Metrics ? *Metrics : OpticDiscMetrics()).ToList();
  for (auto & [name, value] : list)
  {
    if (!Metrics)
    {
      const bool overlap = name == "cup_dice" || name == "disc_dice" || name == "cup_iou" || name == "disc_iou";
      value = overlap && HasTruth ? std::optional<double>(0.0) : std::nullopt;
    }
  }
  list.emplace_back("validity", HasTruth ? std::optional<double>(Metrics && Valid ? 1.0 : 0.0) : std::nullopt);
  return list;
}

OpticDiscEvaluation::ProtocolEnum OpticDiscEvaluation::ProtocolFromString(const std::string & text)
{
  const auto protocol = EnumFromText(Protocols, text);
  if (!protocol)
  {
    npsnetThrow("The protocol " << text << " is unknown: take " << EnumChoices(Protocols) << '.');
  }
  return *protocol;
}

std::string OpticDiscEvaluation::ProtocolToString(ProtocolEnum protocol)
{
  return EnumToText(Protocols, protocol);
}

std::optional<FundusResult::Crop> OpticDiscEvaluation::MakePaperCrop(const LabelImageType * labels)
{
  const auto            size = labels->GetBufferedRegion().GetSize();
  const unsigned char * pixels = labels->GetBufferPointer();
  const auto            box = PixelBox::Of(pixels, size[0], size[1], [](unsigned char label) { return label != 0; });
  if (!box)
  {
    return std::nullopt;
  }
  FundusResult::Crop crop;
  crop.Center[0] = 0.5 * static_cast<double>(box->Left + box->Right);
  crop.Center[1] = 0.5 * static_cast<double>(box->Top + box->Bottom);
  crop.Side = 2.0 * std::max(static_cast<double>(box->GetWidth()) * labels->GetSpacing()[0],
                             static_cast<double>(box->GetHeight()) * labels->GetSpacing()[1]);
  crop.Size = CropSize;
  return crop;
}

OpticDiscEvaluation::Row OpticDiscEvaluation::Evaluate(const Item & item) const
{
  Row row;
  row.Source = item;

  const auto reader = FundusPhotographReader::New();
  try
  {
    reader->SetFileName(item.ImageFile);
    reader->Update();
  }
  catch (const std::exception & error)
  {
    // A photograph that cannot be read counts against the method: its mask says nothing is wrong with the index.
    row.Status = FundusStatusEnum::Unreadable;
    row.Message = ExceptionSentence(error);
    row.HasTruth = std::filesystem::exists(item.ImageFile);
    return row;
  }

  LabelImageType::Pointer           truth;
  std::optional<FundusResult::Crop> crop;
  try
  {
    truth = OpticDiscEvaluation::ReadMask(item.MaskFile, reader->GetPhotograph());
    crop = OpticDiscEvaluation::MakePaperCrop(truth);
    if (!crop)
    {
      npsnetThrow("The mask " << item.MaskFile << " holds no disc: nothing can be compared.");
    }
  }
  catch (const std::exception & error)
  {
    row.Message = ExceptionSentence(error);
    return row;
  }
  row.HasTruth = true;

  Request request;
  request.Name = row.Source.Name;
  request.Photograph = reader->GetPhotograph();
  request.Eye = item.Eye;
  if (m_Protocol != ProtocolEnum::EndToEnd)
  {
    request.Center = request.Photograph->IndexToPoint(crop->Center);
    request.Side = crop->Side;
  }
  if (m_Protocol == ProtocolEnum::Jittered)
  {
    (*request.Center)[0] += 0.08 * crop->Side * Jitter(m_Seed, request.Name, 0);
    (*request.Center)[1] += 0.08 * crop->Side * Jitter(m_Seed, request.Name, 1);
    *request.Side *= 1.0 + 0.15 * Jitter(m_Seed, request.Name, 2);
  }

  FundusResult result;
  try
  {
    result = m_Segmenter(request);
  }
  catch (const ProcessAborted &)
  {
    throw;
  }
  catch (const std::exception & error)
  {
    row.Message = ExceptionSentence(error);
    return row;
  }
  row.Status = result.Status;
  row.Message = result.Message;
  row.Seconds = result.Seconds;
  const bool hasBoundary = result.Boundary.IsNotNull() && !result.Boundary->IsDiscEmpty();
  if (!hasBoundary && result.Labels.IsNull())
  {
    return row;
  }

  const auto trueCrop = CropLabels(truth, *crop);
  const auto labels = hasBoundary ? Rasterize(result.Boundary, trueCrop) : CropLabels(result.Labels, *crop);
  row.Metrics = OpticDiscMetrics::ComputeFromLabels(labels, trueCrop);
  // Validity of what is written: the label map of the whole photograph.
  const LabelImageType::ConstPointer written =
    result.Labels.IsNotNull() ? result.Labels
                              : LabelImageType::ConstPointer(Rasterize(result.Boundary, truth).GetPointer());
  row.Valid = hasBoundary ? NestedLabelValidity::Check(written, result.Boundary->GetAnchor()).IsValid()
                          : NestedLabelValidity::Check(written).IsValid();
  row.Valid = row.Valid && result.Valid.value_or(true); // a label map cannot show a cup outside its disc
  if (hasBoundary)
  {
    row.Boundary = result.Boundary;
  }
  else
  {
    row.CropLabels = labels;
  }
  return row;
}

void OpticDiscEvaluation::Run()
{
  if (!m_Segmenter)
  {
    npsnetThrow("There is no segmenter: call SetSegmenter() before Run().");
  }
  if (m_Items.empty())
  {
    npsnetThrow("There is no photograph to evaluate: the index is empty.");
  }
  m_Rows.clear();
  for (const Item & item : m_Items)
  {
    m_Rows.push_back(this->Evaluate(item));
    if (m_Observer && !m_Observer(m_Rows.size(), m_Items.size(), m_Rows.back()))
    {
      break;
    }
  }
}

void OpticDiscEvaluation::Write(const std::string & directory, const std::string & comparison) const
{
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
  {
    npsnetThrow("Cannot make the folder " << directory << " (" << error.message() << ").");
  }
  std::vector<std::pair<std::string, std::string>> contents = { { "per_image.csv", this->ToPerImageCSV() },
                                                                { "summary.json", this->ToSummaryJSON() },
                                                                { "evaluation.html", this->ToHTML() } };
  if (!comparison.empty())
  {
    contents.emplace_back("comparison.json", comparison);
  }
  std::deque<AtomicFile> files;
  for (const auto & [name, content] : contents)
  {
    files.emplace_back((std::filesystem::path(directory) / name).string()).Fill(content);
  }
  if (comparison.empty())
  {
    AtomicFile::Remove((std::filesystem::path(directory) / "comparison.json").string());
  }
  for (AtomicFile & file : files)
  {
    file.Commit();
  }
}

void OpticDiscEvaluation::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Protocol: " << ProtocolToString(m_Protocol) << std::endl;
  os << indent << "Seed: " << m_Seed << std::endl;
  os << indent << "Items: " << m_Items.size() << std::endl;
  os << indent << "Rows: " << m_Rows.size() << std::endl;
}
} // namespace itk
