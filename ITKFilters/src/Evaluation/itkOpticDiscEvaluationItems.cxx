// SPDX-License-Identifier: Apache-2.0
#include "itkOpticDiscEvaluation.h"

#include "itkEvaluationKey.h"
#include "itkImageFileReader.h"
#include "itkNPSNetThrow.h"
#include "itkQuietITK.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace itk
{
using LabelImageType = OpticDiscEvaluation::LabelImageType;

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
    ++uses[EvaluationKey(item.Set, item.Name)];
  }
  for (Item * item : named)
  {
    if (uses[EvaluationKey(item->Set, item->Name)] > 1)
    {
      const std::filesystem::path folder = std::filesystem::path(item->ImageFile).parent_path().filename();
      item->Name = (folder / item->Name).string();
    }
  }
  std::set<std::string> keys;
  for (const Item & item : items)
  {
    if (!keys.insert(EvaluationKey(item.Set, item.Name)).second)
    {
      npsnetThrow("Two photographs to evaluate are named " << item.Name
                                                           << ": give each a name of its own (column name).");
    }
  }
  m_Items = std::move(items);
}
} // namespace itk
