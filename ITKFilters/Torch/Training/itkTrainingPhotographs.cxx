// SPDX-License-Identifier: Apache-2.0
#include "itkTrainingPhotographs.h"

#include "itkNPSNetThrow.h"
#include "itkSHA256.h"

#include <filesystem>
#include <set>

namespace itk
{
TrainingPhotographs SelectTrainingPhotographs(const std::string &   index,
                                              const DataSelection & data,
                                              const std::string &   image,
                                              const std::string &   mask)
{
  const auto rows = ReadTrainingIndex(index);
  if (rows.empty())
  {
    npsnetThrow("The data index " << index << " lists no photographs: add a line for each.");
  }
  for (const auto & column : { std::string("set"), std::string("split"), image, mask })
  {
    if (rows.front().count(column) == 0)
    {
      npsnetThrow("The data index " << index << " has no column \"" << column << "\": add it to the header line.");
    }
  }
  const auto            folder = std::filesystem::path(index).parent_path();
  TrainingPhotographs   photographs;
  SHA256                hash;
  std::set<std::string> seen;
  for (const auto & row : rows)
  {
    const auto & set = row.at("set");
    const bool   training = row.at("split") == data.TrainingSplit;
    if (row.at(image).empty() || data.Sets.count(set) == 0 || (!training && row.at("split") != data.ValidationSplit))
    {
      continue;
    }
    seen.insert(set);
    const auto cup = row.find("cup");
    const bool drawnCup = data.UndrawnCup == UndrawnCupEnum::Empty || cup == row.end() || cup->second != "none";
    if (!drawnCup && (data.UndrawnCup == UndrawnCupEnum::LeaveOut || !training))
    {
      continue;
    }
    auto & store = training ? photographs.Training : photographs.Validation;
    store.Add(set, (folder / row.at(image)).string(), (folder / row.at(mask)).string(), drawnCup);
    if (training)
    {
      photographs.Samples.insert(photographs.Samples.end(), data.Sets.at(set), store.GetSize() - 1);
      const auto line = set + ',' + row.at(image) + ',' + row.at(mask) + '\n';
      hash.Update(line.data(), line.size());
    }
  }
  for (const auto & set : data.Sets)
  {
    if (seen.count(set.first) == 0)
    {
      npsnetThrow("The data index " << index << " has no photographs of the set \"" << set.first
                                    << "\" in the column \"" << image << "\" with the split \"" << data.TrainingSplit
                                    << "\" or \"" << data.ValidationSplit
                                    << "\": correct the index or \"data\" of the configuration.");
    }
  }
  if (photographs.Samples.empty())
  {
    npsnetThrow("The data index " << index << " has no photographs with the split \"" << data.TrainingSplit
                                  << "\": correct the index or \"train_split\" of the configuration.");
  }
  photographs.Hash = hash.Finalize();
  return photographs;
}
} // namespace itk
