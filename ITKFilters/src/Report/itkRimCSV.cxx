// SPDX-License-Identifier: Apache-2.0
#include "itkRimCSV.h"

#include "itkCSV.h"
#include "itkRimProfileTable.h"
#include "itkText.h"

#include <algorithm>

namespace itk
{
namespace
{
std::string Line(const std::vector<std::string> & cells, char separator)
{
  if (separator == ',')
  {
    return ToCSVLine(cells);
  }
  std::string text;
  for (const std::string & cell : cells)
  {
    text += cell + separator;
  }
  text.back() = '\n';
  return text;
}
} // namespace

std::string RimCSV(const RimMeasurements & m, char separator)
{
  const auto &             columns = RimProfileColumns();
  std::vector<std::string> cells(columns.size());
  std::transform(columns.begin(), columns.end(), cells.begin(), [](const auto & column) { return column.Name; });
  std::string text = Line(cells, separator);
  for (std::size_t k = 0; k < m.Profile.size(); ++k)
  {
    std::transform(columns.begin(), columns.end(), cells.begin(), [&m, k](const RimProfileColumn & column) {
      return column.Kind == RimProfileColumn::KindEnum::Text ? column.Text(m, k) : NumberText(column.Number(m, k));
    });
    text += Line(cells, separator);
  }
  return text;
}
} // namespace itk
