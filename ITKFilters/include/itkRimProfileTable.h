// SPDX-License-Identifier: Apache-2.0
#ifndef itkRimProfileTable_h
#define itkRimProfileTable_h

#include "NPSNetExport.h"
#include "itkRimMeasurements.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace itk
{
/** \class RimProfileColumn
 * \brief One column of the table of rays, one row a degree: the rim table's file and Slicer's table are made of these.
 * \ingroup NPSNet
 */
struct NPSNet_EXPORT RimProfileColumn
{
  enum class KindEnum
  {
    Integer,
    Number,
    Text
  };

  std::string Name; // in files
  std::string Title;
  std::string Unit;
  std::string Description;
  KindEnum    Kind{ KindEnum::Number };
  /** May be left out where nothing of it is known. */
  bool IsOptional{ false };

  /** Value of a ray; of texts only Text, of others only Number is there. */
  std::function<std::optional<double>(const RimMeasurements &, std::size_t)> Number;
  std::function<std::string(const RimMeasurements &, std::size_t)>           Text;

  /** Whether any ray has a value. */
  bool IsKnown(const RimMeasurements & measurements) const;
};

/** All columns in the order of the file. */
NPSNet_EXPORT const std::vector<RimProfileColumn> & RimProfileColumns();
} // namespace itk

#endif
