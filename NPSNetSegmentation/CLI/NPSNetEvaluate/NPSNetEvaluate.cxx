// SPDX-License-Identifier: Apache-2.0
#include "NPSNetEvaluateCLP.h"

#include "npsnetAnalysis.h"
#include "npsnetExitCodes.h"
#include "npsnetInterrupt.h"
#include "npsnetMessages.h"
#include "npsnetModule.h"
#include "npsnetOptions.h"
#include "npsnetProgress.h"

#include "itkCSV.h"
#include "itkNPSNetRawMaskImageFilter.h"

#include "itkEyeLaterality.h"
#include "itkNPSNetModelFile.h"
#include "itkOpticDiscEvaluation.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <stdexcept>

namespace fs = std::filesystem;

namespace
{
const char* const Program = "NPSNetEvaluate";
using Evaluation = itk::OpticDiscEvaluation;

/// Columns image and mask; eye, name, set and label if there. Paths are relative to the table.
std::vector<Evaluation::Item> ReadIndex(const std::string& fileName)
{
  const itk::CSVTable table = itk::CSVTable::Read(fileName);
  for (const char* column : {"image", "mask"})
  {
    table.RequireColumn(column);
  }
  const fs::path folder = fs::path(fileName).parent_path();
  std::vector<Evaluation::Item> items;
  for (std::size_t row = 0; row < table.Rows.size(); ++row)
  {
    const auto cell = [&](const char* column) -> std::string
    {
      const std::size_t c = table.FindColumn(column);
      return c == itk::CSVTable::NotFound ? std::string() : table.Rows[row][c];
    };
    const std::string at = npsnet::Printable(fileName) + ", line " + std::to_string(table.Lines[row]) + ": ";
    if (cell("image").empty() || cell("mask").empty())
    {
      throw std::runtime_error(at + "image and mask are both needed.");
    }
    Evaluation::Item item;
    item.Name = cell("name");
    item.ImageFile = (folder / cell("image")).string();
    item.MaskFile = (folder / cell("mask")).string();
    item.Set = cell("set");
    item.Label = cell("label");
    if (!cell("eye").empty())
    {
      try
      {
        item.Eye = itk::EyeSideFromText(cell("eye"));
      }
      catch (const std::exception& error)
      {
        throw std::runtime_error(at + npsnet::Sentence(error));
      }
    }
    items.push_back(std::move(item));
  }
  if (items.empty())
  {
    throw std::runtime_error(npsnet::Printable(fileName) + " lists no photo.");
  }
  return items;
}

Evaluation::TableType ToRows(const itk::CSVTable& table)
{
  Evaluation::TableType rows;
  for (const auto& cells : table.Rows)
  {
    auto& row = rows.emplace_back();
    for (std::size_t c = 0; c < table.Columns.size(); ++c)
    {
      row[table.Columns[c]] = cells[c];
    }
  }
  return rows;
}

/// Says how many rows could not be used; the exit code of the run.
int SayWhatWasLeftOut(const std::vector<Evaluation::Row>& rows)
{
  const auto isLeftOut = [](const Evaluation::Row& row) { return !row.HasTruth; };
  const auto leftOut = static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), isLeftOut));
  if (leftOut == 0)
  {
    return npsnet::ExitDone;
  }
  const auto first = std::find_if(rows.begin(), rows.end(), isLeftOut);
  npsnet::PrintError(Program,
    std::to_string(leftOut) + " of " + std::to_string(rows.size()) +
      " rows could not be used (first: " + npsnet::Printable(first->Source.Name + ": " + first->Message) + ")");
  return leftOut == rows.size() ? npsnet::ExitUsage : npsnet::ExitNotAllGood;
}

void SayWhatCameOut(const nlohmann::json& summary, const std::string& folder)
{
  const auto mean = [&](const char* metric) -> std::string
  {
    const auto found = summary.find(metric);
    const bool known =
      found != summary.end() && found->is_object() && found->contains("mean") && (*found)["mean"].is_number();
    char text[32] = "-";
    if (known)
    {
      std::snprintf(text, sizeof(text), "%.4f", (*found)["mean"].get<double>());
    }
    return text;
  };
  std::cout << summary.value("n", 0) << " photos: disc Dice " << mean("disc_dice") << ", cup Dice " << mean("cup_dice")
            << ", vCDR error " << mean("vcdr_mae") << ", validity " << mean("validity") << ", not found "
            << summary.value("not_found", 0) << "\n  " << npsnet::Printable(folder) << std::endl;
}

/// What the maps alone say; see NPSNetRawMaskImageFilter.
itk::FundusResult SegmentRaw(const itk::NPSNet* network, const Evaluation::Request& request)
{
  auto filter = itk::NPSNetRawMaskImageFilter::New();
  filter->SetInput(request.Photograph->GetImage());
  filter->SetNetwork(network);
  filter->SetCenter(*request.Center);
  filter->SetSide(*request.Side);
  filter->Update();
  itk::FundusResult result;
  result.Status = itk::FundusStatusEnum::Ok;
  result.Labels = filter->GetOutput();
  result.Valid = filter->GetNumberOfPixelsOutsideTheDisc() == 0;
  return result;
}
} // namespace

int main(int argc, char* argv[])
{
  PARSE_ARGS;
  return npsnet::RunModule(Program,
    [&]() -> int
    {
      if (index.empty() || outputDirectory.empty())
      {
        throw std::runtime_error("an index (CSV with columns image, mask) and --out DIR are needed; see --help.");
      }
      npsnet::RequireThreads(numberOfThreads);
      npsnet::RequireWritableFolder(outputDirectory);
      auto evaluation = Evaluation::New();
      evaluation->SetItems(ReadIndex(index));
      const Evaluation::TableType theirs =
        compareWith.empty() ? Evaluation::TableType() : ToRows(itk::CSVTable::Read(compareWith));
      if (!compareWith.empty())
      {
        evaluation->RequireComparable(theirs);
      }
      evaluation->SetProtocol(Evaluation::ProtocolFromString(protocol));
      evaluation->SetSeed(static_cast<unsigned>(seed));
      const std::string modelFile = npsnet::ResolveModelFile(model);
      const itk::NPSNetModelFile information(modelFile);
      evaluation->SetModel({information.GetMetadata().Name, information.GetMetadata().Version, information.GetSHA256(),
        information.GetMetadata().Licence, modelFile});

      auto analyzer = itk::FundusPhotographAnalyzer::New();
      auto settings = itk::FundusAnalyzerSettings::FromArguments(
        {"--model", modelFile, "--tta", ttaMode, "--engine", engine, "--device", device, "--precision", precision,
          "--threads", std::to_string(numberOfThreads), "--max_megapixels", "1000"});
      // The given crop is the protocol: nothing may be moved afterwards.
      settings.Recenter = evaluation->GetProtocol() == Evaluation::ProtocolEnum::EndToEnd;
      analyzer->SetSettings(settings);
      evaluation->SetTTAMode(settings.TTAMode);
      const bool rawMasks = masks == "raw";
      itk::NPSNet::ConstPointer network;
      if (rawMasks)
      {
        if (evaluation->GetProtocol() == Evaluation::ProtocolEnum::EndToEnd)
        {
          throw std::runtime_error("--masks raw needs the protocol paper or jittered: its crop is given.");
        }
        evaluation->SetTTAMode("off");
        itk::NPSNet::Settings networkSettings;
        networkSettings.Engine = engine;
        networkSettings.Device = device;
        networkSettings.Precision = precision;
        networkSettings.Threads = static_cast<unsigned>(numberOfThreads);
        network = itk::NPSNet::Load(modelFile, networkSettings);
      }
      else
      {
        analyzer->Load();
      }
      evaluation->SetSegmenter(
        [&](const Evaluation::Request& request)
        {
          if (rawMasks)
          {
            return SegmentRaw(network, request);
          }
          itk::FundusPhotographOptions options;
          options.Eye = request.Eye == itk::EyeSideEnum::Unknown ? "auto" : itk::EyeSideToString(request.Eye);
          if (request.Center)
          {
            options.Center = request.Photograph->PointToIndex(*request.Center);
          }
          options.Side = request.Side;
          options.Name = request.Name;
          return analyzer->Analyze(request.Photograph, options);
        });
      {
        npsnet::Progress progress(Program, "Evaluating", !returnParameterFile.empty());
        evaluation->SetObserver(
          [&](std::size_t done, std::size_t total, const Evaluation::Row& row)
          {
            progress.Report(static_cast<double>(done) / static_cast<double>(total), row.Source.Name);
            return !npsnet::IsInterrupted();
          });
        evaluation->Run();
      }
      if (npsnet::IsInterrupted())
      {
        npsnet::PrintError(Program, "stopped; nothing was written.");
        return npsnet::ExitInterrupted;
      }
      try
      {
        const std::string csv = evaluation->ToPerImageCSV();
        evaluation->Write(outputDirectory,
          compareWith.empty() ? "" : Evaluation::Compare(ToRows(itk::CSVTable::Parse(csv, "per_image.csv")), theirs));
      }
      catch (const std::exception& error)
      {
        npsnet::PrintError(Program, npsnet::Printable(npsnet::Sentence(error)));
        return npsnet::ExitOutput;
      }
      const nlohmann::json summary = nlohmann::json::parse(evaluation->ToSummaryJSON());
      const auto dice = [&](const char* metric)
      {
        const nlohmann::json entry = summary.value(metric, nlohmann::json::object());
        return itk::ShortestText(
          entry.contains("mean") && entry["mean"].is_number() ? entry["mean"].get<double>() : 0.0);
      };
      npsnet::WriteReturnParameters(
        returnParameterFile, {{"numberOfPhotos", std::to_string(evaluation->GetRows().size())},
                               {"discDice", dice("disc_dice")}, {"cupDice", dice("cup_dice")}});
      SayWhatCameOut(summary, outputDirectory);
      return npsnet::ExitCodeWithAnswers(Program, SayWhatWasLeftOut(evaluation->GetRows()));
    });
}
