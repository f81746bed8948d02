// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetBatchInputs_h
#define npsnetBatchInputs_h

#include "itkContinuousIndex.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace npsnet
{
/// One photo of a batch.
struct BatchInput
{
  std::string Path; ///< to open
  /// Unique in the batch, printable: the path below the folder, glob or table that the user gave.
  std::string Name;
  std::string OutputFolder; ///< below the output folder; may be empty
  std::string Stem;         ///< of the output files; OutputFolder and Stem together are unique
  std::string Problem;      ///< why it cannot even be tried, for example a folder that cannot be listed
  bool HasFailed{false};    ///< with a Problem: the row is failed, not unreadable

  // From columns of a table; empty when it does not say.
  std::string Eye;
  std::optional<double> MicrometersPerPixel;
  std::optional<itk::ContinuousIndex<double, 2>> Center;
};

struct BatchInputList
{
  std::vector<BatchInput> Inputs; ///< sorted by Name
  std::vector<std::string> Notes; ///< what was left out, one sentence each

  /// Changes when an input is added, lost or renamed.
  std::string Digest() const;
};

/// Files, folders (all below), globs (quoted) and CSV tables (column image; eye, um_per_pixel, center_x, center_y if
/// there) to photos. Files below outputFolder, the outputs of earlier runs and DICOM objects that are not photographs
/// are left out; with \a unreportedOnly also DICOM photographs that a DICOM report found on the way is about. Throws
/// std::runtime_error with a sentence when an argument stands for nothing.
BatchInputList CollectInputs(
  const std::vector<std::string>& arguments, const std::string& outputFolder, bool unreportedOnly = false);

/// `2/5` -> {2, 5}; throws std::runtime_error with a sentence unless 1 <= i <= n. Empty: {1, 1}.
std::array<unsigned, 2> ParseShard(const std::string& text);

/// Every n-th input from the i-th on; which photos they are depends on the sorted list only.
std::vector<BatchInput> SelectShard(const std::vector<BatchInput>& inputs, const std::array<unsigned, 2>& shard);
} // namespace npsnet

#endif
