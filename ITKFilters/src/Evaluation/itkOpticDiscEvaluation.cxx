// SPDX-License-Identifier: Apache-2.0
#include "itkOpticDiscEvaluation.h"

#include "itkAtomicFile.h"
#include "itkCSV.h"
#include "itkEnumText.h"
#include "itkEvaluationStatistics.h"
#include "itkExceptionSentence.h"
#include "itkFundusPhotographReader.h"
#include "itkFundusRegionOfInterestImageFilter.h"
#include "itkFundusResultTable.h"
#include "itkHash.h"
#include "itkImageFileReader.h"
#include "itkNPSNetThrow.h"
#include "itkNPSNetVersion.h"
#include "itkNestedLabelValidity.h"
#include "itkNestedPolarBoundaryToLabelImageFilter.h"
#include "itkText.h"
#include "itkPixelBox.h"
#include "itkQuietITK.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <locale>
#include <set>
#include <sstream>

namespace itk
{
namespace
{
using LabelImageType = OpticDiscEvaluation::LabelImageType;
using Row = OpticDiscEvaluation::Row;
using JSON = nlohmann::ordered_json;

constexpr unsigned int CropSize = 512;

LabelImageType::Pointer CropLabels(const LabelImageType * labels, const FundusResult::Crop & crop)
{
  const auto                filter = FundusRegionOfInterestImageFilter<LabelImageType>::New();
  LabelImageType::PointType center;
  center[0] = crop.Center[0];
  center[1] = crop.Center[1];
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

JSON Number(const std::optional<double> & value)
{
  return value ? JSON(*value) : JSON(nullptr);
}

double ParseNumber(const std::string & text, const std::string & column)
{
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  double value = 0.0;
  if (!(stream >> value) || !stream.eof())
  {
    npsnetThrow("The cell " << text << " of column " << column << " is not a number: give two per_image.csv files.");
  }
  return value;
}

bool IsSummedUp(const std::string & name)
{
  return name != "vcdr_pred" && name != "vcdr_truth" && name != "acdr_pred" && name != "acdr_truth";
}

std::string KeyOf(const std::string & set, const std::string & name)
{
  return set + "/" + name;
}

using RowText = OpticDiscEvaluation::TableType::value_type;

std::map<std::string, const RowText *> IndexByKey(const OpticDiscEvaluation::TableType & table)
{
  std::map<std::string, const RowText *> rows;
  for (const RowText & row : table)
  {
    const auto name = row.find("name");
    if (name == row.end() || row.count("disc_dice") == 0)
    {
      npsnetThrow("A table to compare has no column name or disc_dice: give two per_image.csv files.");
    }
    const auto set = row.find("set");
    if (!rows.emplace(KeyOf(set != row.end() ? set->second : "", name->second), &row).second)
    {
      npsnetThrow("A table to compare has two rows named " << name->second << ": it is not clear which is meant.");
    }
  }
  return rows;
}

[[noreturn]] void ThrowNothingInCommon()
{
  npsnetThrow("The tables to compare have no row of the same set and name in common.");
}

JSON SummaryOf(const std::vector<const Row *> & rows, unsigned int seed)
{
  std::vector<std::string>                   names;
  std::map<std::string, std::vector<double>> values;
  for (const Row * row : rows)
  {
    for (const auto & [name, value] : row->ToList())
    {
      if (values.find(name) == values.end())
      {
        names.push_back(name);
        values[name] = {};
      }
      if (value)
      {
        values[name].push_back(*value);
      }
    }
  }
  JSON table = JSON::object();
  for (const std::string & name : names)
  {
    if (!IsSummedUp(name))
    {
      continue;
    }
    const auto summary = EvaluationStatistics::Summarize(values[name], seed);
    table[name] = summary ? JSON({ { "mean", summary->Mean },
                                   { "sd", Number(summary->SD) },
                                   { "ci95", { summary->Low, summary->High } },
                                   { "n", summary->N } })
                          : JSON({ { "mean", nullptr }, { "sd", nullptr }, { "ci95", nullptr }, { "n", 0 } });
  }
  return table;
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
  ContinuousIndex<double, 2> middle;
  middle[0] = 0.5 * static_cast<double>(box->Left + box->Right);
  middle[1] = 0.5 * static_cast<double>(box->Top + box->Bottom);
  Point<double, 2> center;
  labels->TransformContinuousIndexToPhysicalPoint(middle, center);
  FundusResult::Crop crop;
  crop.Center = { { center[0], center[1] } };
  crop.Side = 2.0 * std::max(static_cast<double>(box->GetWidth()) * labels->GetSpacing()[0],
                             static_cast<double>(box->GetHeight()) * labels->GetSpacing()[1]);
  crop.Size = CropSize;
  return crop;
}

LabelImageType::Pointer OpticDiscEvaluation::ReadMask(const std::string & fileName, const FundusPhotograph * photograph)
{
  LabelImageType::Pointer mask;
  try
  {
    const QuietITK quiet;
    mask = ReadImage<LabelImageType>(fileName);
  }
  catch (const ExceptionObject &)
  {
    npsnetThrow("The mask " << fileName << " cannot be read: give a grey PNG with 0, 128 (rim) and 255 (cup).");
  }
  const auto & size = photograph->GetStored().Size;
  const auto   maskSize = mask->GetBufferedRegion().GetSize();
  if (maskSize[0] != size[0] || maskSize[1] != size[1])
  {
    npsnetThrow("The mask " << fileName << " has " << maskSize[0] << " x " << maskSize[1] << " pixels, its photograph "
                            << size[0] << " x " << size[1] << " as stored: they must be the same.");
  }
  unsigned char *     pixels = mask->GetBufferPointer();
  const SizeValueType count = mask->GetBufferedRegion().GetNumberOfPixels();
  const bool          labels = *std::max_element(pixels, pixels + count) <= 2;
  for (SizeValueType k = 0; k < count; ++k)
  {
    pixels[k] = labels ? pixels[k] : pixels[k] >= 192 ? 2 : pixels[k] >= 64 ? 1 : 0;
  }
  return photograph->StoredToUprightLabels(mask);
}

void OpticDiscEvaluation::SetItems(std::vector<Item> items)
{
  std::map<std::string, std::size_t> uses;
  std::vector<Item *>                named;
  for (Item & item : items)
  {
    if (item.Name.empty())
    {
      item.Name = std::filesystem::path(item.ImageFile).stem().string();
      named.push_back(&item);
    }
    ++uses[KeyOf(item.Set, item.Name)];
  }
  for (Item * item : named)
  {
    if (uses[KeyOf(item->Set, item->Name)] > 1)
    {
      const std::filesystem::path folder = std::filesystem::path(item->ImageFile).parent_path().filename();
      item->Name = (folder / item->Name).string();
    }
  }
  std::set<std::string> keys;
  for (const Item & item : items)
  {
    if (!keys.insert(KeyOf(item.Set, item.Name)).second)
    {
      npsnetThrow("Two photographs to evaluate are named " << item.Name
                                                           << ": give each a name of its own (column name).");
    }
  }
  m_Items = std::move(items);
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
    truth = OpticDiscEvaluation::ReadMask(item.MaskFile, reader->GetOutput());
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
  request.Photograph = reader->GetOutput();
  request.Eye = item.Eye;
  if (m_Protocol != ProtocolEnum::EndToEnd)
  {
    request.Center = crop->Center;
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

std::string OpticDiscEvaluation::ToPerImageCSV() const
{
  std::vector<std::string> columns = { "name", "status", "message", "set", "label", "eye" };
  for (const auto & item : Row().ToList())
  {
    columns.push_back(item.first);
  }
  columns.emplace_back("seconds");
  std::string text = ToCSVLine(columns);
  for (const Row & row : m_Rows)
  {
    std::vector<std::string> cells = { row.Source.Name,  FundusStatusToString(row.Status), row.Message, row.Source.Set,
                                       row.Source.Label, EyeSideToString(row.Source.Eye) };
    for (const auto & item : row.ToList())
    {
      cells.push_back(NumberText(item.second, 9));
    }
    cells.push_back(NumberText(row.Seconds, 4));
    text += ToCSVLine(cells);
  }
  return text;
}

OpticDiscEvaluation::RowCounts OpticDiscEvaluation::CountRows() const
{
  RowCounts counts;
  for (const Row & row : m_Rows)
  {
    if (row.HasTruth)
    {
      ++counts.Counted;
      counts.NotSegmented += row.Metrics ? 0 : 1;
    }
    else
    {
      ++(row.Status == FundusStatusEnum::Unreadable ? counts.MissingImages : counts.UnusableMasks);
    }
  }
  return counts;
}

std::string OpticDiscEvaluation::ToSummaryJSON() const
{
  std::vector<const Row *>                        counted;
  std::map<std::string, std::vector<const Row *>> bySet;
  std::map<std::string, std::vector<const Row *>> byLabel;
  std::map<std::string, std::size_t>              statuses;
  std::vector<double>                             predicted;
  std::vector<double>                             truth;
  std::vector<double>                             seconds;
  for (const Row & row : m_Rows)
  {
    if (!row.HasTruth)
    {
      continue;
    }
    counted.push_back(&row);
    ++statuses[FundusStatusToString(row.Status)];
    if (!row.Source.Set.empty())
    {
      bySet[row.Source.Set].push_back(&row);
    }
    if (!row.Source.Label.empty())
    {
      byLabel[row.Source.Label].push_back(&row);
    }
    if (row.Metrics && row.Metrics->VerticalCDR && row.Metrics->TrueVerticalCDR)
    {
      predicted.push_back(*row.Metrics->VerticalCDR);
      truth.push_back(*row.Metrics->TrueVerticalCDR);
    }
    if (row.Seconds)
    {
      seconds.push_back(*row.Seconds);
    }
  }

  JSON            summary;
  const RowCounts counts = this->CountRows();
  summary["n"] = counts.Counted;
  summary["not_found"] = statuses.count("not_found") > 0 ? statuses["not_found"] : 0;
  summary["failed"] = counts.NotSegmented;
  summary["missing_images"] = counts.MissingImages;
  summary["unusable_masks"] = counts.UnusableMasks;
  summary["protocol"] = ProtocolToString(m_Protocol);
  summary["tta"] = m_TTAMode.empty() ? JSON(nullptr) : JSON(m_TTAMode);
  summary["seed"] = m_Seed;
  summary["software_version"] = NPSNetVersion();
  summary["model"] =
    m_Model.IsKnown() ? JSON({ { "name", m_Model.Name }, { "version", m_Model.Version }, { "sha256", m_Model.SHA256 } })
                      : JSON(nullptr);
  summary["definitions"] =
    "Metrics on the 512 x 512 crop (side twice the larger side of the true disc's box); hd95 and assd as the authors "
    "count them, *_surface the usual kind; sd of the sample (ddof 1); ci95 percentile bootstrap of the mean (2000 "
    "resamples). A failed photograph has Dice, IoU and validity 0 and no other metric.";
  summary.update(SummaryOf(counted, m_Seed));

  JSON agreement(nullptr);
  if (predicted.size() > 1)
  {
    std::vector<double> differences;
    for (std::size_t k = 0; k < predicted.size(); ++k)
    {
      differences.push_back(predicted[k] - truth[k]);
    }
    const auto spread = EvaluationStatistics::Summarize(differences, m_Seed);
    agreement = { { "bias", spread->Mean },
                  { "limits_of_agreement", { spread->Mean - 1.96 * *spread->SD, spread->Mean + 1.96 * *spread->SD } },
                  { "pearson_r", Number(EvaluationStatistics::Correlation(predicted, truth)) },
                  { "n", spread->N } };
  }
  summary["vcdr_agreement"] = agreement;
  summary["seconds_median"] = seconds.empty() ? JSON(nullptr) : JSON(EvaluationStatistics::Percentile(seconds, 50.0));
  summary["status"] = statuses;
  const auto groups = [this](const std::map<std::string, std::vector<const Row *>> & parts) {
    JSON table = JSON::object();
    for (const auto & [name, rows] : parts)
    {
      table[name] = { { "n", rows.size() } };
      table[name].update(SummaryOf(rows, m_Seed));
    }
    return table;
  };
  summary["by_set"] = groups(bySet);
  summary["by_label"] = groups(byLabel);
  return summary.dump(1, ' ', false, JSON::error_handler_t::replace) + "\n";
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

std::string OpticDiscEvaluation::Compare(const TableType & a, const TableType & b)
{
  const auto                                               other = IndexByKey(b);
  std::vector<std::pair<const RowText *, const RowText *>> pairs;
  for (const auto & [key, row] : IndexByKey(a))
  {
    const auto match = other.find(key);
    if (match != other.end())
    {
      pairs.emplace_back(row, match->second);
    }
  }
  if (pairs.empty())
  {
    ThrowNothingInCommon();
  }

  JSON table = JSON::object();
  for (const auto & item : Row().ToList())
  {
    const std::string & metric = item.first;
    if (!IsSummedUp(metric))
    {
      continue;
    }
    std::vector<double> left;
    std::vector<double> right;
    for (const auto & [ours, theirs] : pairs)
    {
      const auto x = ours->find(metric);
      const auto y = theirs->find(metric);
      if (x != ours->end() && y != theirs->end() && !x->second.empty() && !y->second.empty())
      {
        left.push_back(ParseNumber(x->second, metric));
        right.push_back(ParseNumber(y->second, metric));
      }
    }
    const auto test = EvaluationStatistics::SignedRank(left, right);
    table[metric] = { { "mean_a", left.empty() ? JSON(nullptr) : JSON(EvaluationStatistics::Mean(left)) },
                      { "mean_b", right.empty() ? JSON(nullptr) : JSON(EvaluationStatistics::Mean(right)) },
                      { "mean_difference",
                        test           ? JSON(test->MeanDifference)
                        : left.empty() ? JSON(nullptr)
                                       : JSON(0.0) },
                      { "statistic", test ? JSON(test->Statistic) : JSON(nullptr) },
                      { "p_value", test ? JSON(test->PValue) : JSON(nullptr) },
                      { "method",
                        !test         ? JSON(nullptr)
                        : test->Exact ? JSON("exact")
                                      : JSON("normal approximation") },
                      { "n", left.size() },
                      { "n_different", test ? test->N : 0 } };
  }
  return table.dump(1) + "\n";
}

void OpticDiscEvaluation::RequireComparable(const TableType & other) const
{
  OpticDiscEvaluation::Compare(other, other); // reads every cell
  const auto rows = IndexByKey(other);
  if (std::none_of(m_Items.begin(), m_Items.end(), [&rows](const Item & item) {
        return rows.count(KeyOf(item.Set, item.Name)) > 0;
      }))
  {
    ThrowNothingInCommon();
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
