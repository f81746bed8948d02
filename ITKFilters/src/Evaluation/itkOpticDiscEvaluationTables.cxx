// SPDX-License-Identifier: Apache-2.0
#include "itkOpticDiscEvaluation.h"

#include "itkCSV.h"
#include "itkEvaluationKey.h"
#include "itkEvaluationStatistics.h"
#include "itkNPSNetThrow.h"
#include "itkNPSNetVersion.h"
#include "itkText.h"

#include <algorithm>
#include <locale>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace itk
{
namespace
{
using Row = OpticDiscEvaluation::Row;
using JSON = nlohmann::ordered_json;

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
    if (!rows.emplace(EvaluationKey(set != row.end() ? set->second : "", name->second), &row).second)
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
        return rows.count(EvaluationKey(item.Set, item.Name)) > 0;
      }))
  {
    ThrowNothingInCommon();
  }
}
} // namespace itk
