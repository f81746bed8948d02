// SPDX-License-Identifier: Apache-2.0
#include "itkTrainingReport.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <vector>

namespace itk
{
namespace
{
std::vector<std::string> Columns(const nlohmann::json & history)
{
  std::vector<std::string> names = { "epoch", "learning_rate", "seconds" };
  for (const auto & record : history)
  {
    for (const auto & item : record.items())
    {
      if (std::find(names.begin(), names.end(), item.key()) == names.end())
      {
        names.push_back(item.key());
      }
    }
  }
  return names;
}

/** In a history that was read from a checkpoint, what was not finite is null. */
bool IsFinite(const nlohmann::json & record, const std::string & name)
{
  const auto found = record.find(name);
  return found != record.end() && found->is_number() && std::isfinite(found->get<double>());
}

constexpr double Width = 460;
constexpr double Height = 300;

/** Curves of all columns with the prefix, scaled to the panel at `left`. */
void DrawPanel(std::ostream & out, const nlohmann::json & history, const std::string & prefix, double left, bool unit)
{
  static const std::array<const char *, 8> colors = {
    { "#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f" }
  };
  double                   low = 0.0;
  double                   high = 1.0;
  double                   epochs = 1.0;
  std::vector<std::string> names;
  for (const auto & name : Columns(history))
  {
    if (name.compare(0, prefix.size(), prefix) == 0)
    {
      names.push_back(name);
    }
  }
  for (const auto & record : history)
  {
    epochs = std::max(epochs, record.at("epoch").get<double>());
    for (const auto & name : names)
    {
      if (!unit && IsFinite(record, name))
      {
        high = std::max(high, record.at(name).get<double>());
      }
    }
  }
  out << "<rect x=\"" << left << "\" y=\"30\" width=\"" << Width << "\" height=\"" << Height
      << "\" fill=\"none\" stroke=\"#444\"/>\n";
  for (int i = 0; i <= 4; ++i)
  {
    const double value = low + (high - low) * i / 4;
    const double y = 30 + Height * (1.0 - i / 4.0);
    out << "<line x1=\"" << left << "\" x2=\"" << left + Width << "\" y1=\"" << y << "\" y2=\"" << y
        << "\" stroke=\"#ddd\"/><text x=\"" << left - 6 << "\" y=\"" << y + 4 << "\" text-anchor=\"end\">" << value
        << "</text>\n";
  }
  out << "<text x=\"" << left + Width / 2 << "\" y=\"" << 30 + Height + 20 << "\" text-anchor=\"middle\">epoch (1 to "
      << epochs << ")</text>\n";
  for (std::size_t k = 0; k < names.size(); ++k)
  {
    const char * color = colors[k % colors.size()];
    out << "<polyline fill=\"none\" stroke=\"" << color << "\" stroke-width=\"1.5\" points=\"";
    for (const auto & record : history)
    {
      if (IsFinite(record, names[k]))
      {
        const double value = std::clamp(record.at(names[k]).get<double>(), low, high);
        out << left + Width * (record.at("epoch").get<double>() - 1) / std::max(1.0, epochs - 1) << ','
            << 30 + Height * (1.0 - (value - low) / (high - low)) << ' ';
      }
    }
    out << "\"/><text fill=\"" << color << "\" x=\"" << left + 8 + 150 * (k / 14) << "\" y=\"" << 400 + 14 * (k % 14)
        << "\">" << names[k] << "</text>\n";
  }
}
} // namespace

std::string TrainingHistoryToCSV(const nlohmann::json & history)
{
  const auto         names = Columns(history);
  std::ostringstream out;
  for (std::size_t i = 0; i < names.size(); ++i)
  {
    out << (i ? "," : "") << names[i];
  }
  out << '\n';
  for (const auto & record : history)
  {
    for (std::size_t i = 0; i < names.size(); ++i)
    {
      out << (i ? "," : "");
      if (record.contains(names[i]))
      {
        out << (IsFinite(record, names[i]) ? record.at(names[i]).dump() : "nan");
      }
    }
    out << '\n';
  }
  return out.str();
}

std::string TrainingHistoryToSVG(const nlohmann::json & history)
{
  std::ostringstream out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1060\" height=\"610\" font-family=\"sans-serif\" "
         "font-size=\"12\"><rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
         "<text x=\"50\" y=\"20\" font-size=\"14\">Training losses</text>"
         "<text x=\"570\" y=\"20\" font-size=\"14\">Validation</text>\n";
  DrawPanel(out, history, "train_", 50, false);
  DrawPanel(out, history, "val_", 570, true);
  out << "</svg>\n";
  return out.str();
}
} // namespace itk
