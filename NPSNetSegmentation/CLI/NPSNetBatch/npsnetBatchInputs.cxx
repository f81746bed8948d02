// SPDX-License-Identifier: Apache-2.0
#include "npsnetBatchInputs.h"

#include "npsnetArchive.h"
#include "npsnetMessages.h"

#include "itkCSV.h"
#include "itkFundusFile.h"
#include "itkHash.h"
#include "itkPhotoFormats.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <glob.h>
#include <map>
#include <set>
#include <stdexcept>
#include <sys/stat.h>

namespace fs = std::filesystem;

namespace npsnet
{
namespace
{
std::string LowerCase(std::string text)
{
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool EndsWith(const std::string& text, const std::string& end)
{
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Pictures of formats that cannot be read here. They are inputs all the same: leaving out a patient's photo without a
/// row would be a loss without a trace.
bool IsForeignPicture(const std::string& fileName)
{
  static const std::set<std::string> Known = {".heic", ".heif", ".hif", ".avif", ".webp", ".gif", ".jp2", ".j2k",
    ".jpf", ".jpx", ".jxl", ".jxr", ".ppm", ".pgm", ".pnm", ".tga", ".psd", ".dng", ".cr2", ".cr3", ".nef", ".nrw",
    ".arw", ".orf", ".pef", ".raf", ".rw2", ".srw"};
  return Known.count(LowerCase(fs::path(fileName).extension().string())) > 0;
}

/// Exports of cameras and archives often have no extension; DICOM says so itself.
bool IsDICOM(const fs::path& path)
{
  std::ifstream file(path, std::ios::binary);
  char head[132] = {};
  return file.read(head, sizeof(head)) && std::string(head + 128, 4) == "DICM";
}

/// What becomes an input when it is found, whether it can be read or not.
bool LooksLikeAPhoto(const fs::path& path)
{
  std::error_code error;
  return itk::HasPhotoFileEnding(path.string()) || IsForeignPicture(path.string()) ||
         (path.extension().empty() && fs::is_regular_file(path, error) && IsDICOM(path));
}

/// STEM_overlay.png and the like, when STEM_metrics.json lies beside it.
bool IsOwnOutput(const fs::path& path)
{
  using File = itk::FundusFileEnum;
  std::vector<std::string> ends = GetArchiveEndings();
  for (const auto file : {File::Labels, File::Segmentation, File::Overlay})
  {
    ends.push_back(itk::FundusFileEnding(file));
  }
  const std::string name = path.filename().string();
  const auto end = std::find_if(ends.begin(), ends.end(), [&](const std::string& e) { return EndsWith(name, e); });
  if (end == ends.end())
  {
    return false;
  }
  const std::string stem = name.substr(0, name.size() - end->size());
  std::error_code error;
  return fs::exists(path.parent_path() / (stem + itk::FundusFileEnding(File::Metrics)), error);
}

std::string StemOf(const std::string& fileName)
{
  const std::string lower = LowerCase(fileName);
  for (const char* end : {".nii.gz", ".seg.nrrd"})
  {
    if (EndsWith(lower, end))
    {
      return fileName.substr(0, fileName.size() - std::string(end).size());
    }
  }
  return itk::HasPhotoFileEnding(fileName) ? fs::path(fileName).stem().string() : fileName;
}

/// A path below the user's root that stays below the output folder wherever it is put.
std::string BelowRoot(const fs::path& path)
{
  const fs::path normal = path.lexically_normal();
  if (normal.is_absolute() || normal.empty() || *normal.begin() == "..")
  {
    return normal.filename().string();
  }
  return normal.string();
}

/// Everything found, before names are made unique.
class Collector
{
public:
  struct Found
  {
    BatchInput Input;
    std::string Root;     // last folder name of what the user gave, to tell equal names apart
    std::string Relative; // path below the root
  };

  explicit Collector(const std::string& outputFolder)
  {
    std::error_code error;
    this->OutputFolder = fs::weakly_canonical(outputFolder, error);
  }

  std::vector<Found> All;
  std::vector<std::string> Notes;

  void AddArgument(const std::string& argument)
  {
    std::error_code error;
    const fs::file_status status = fs::status(argument, error);
    if (fs::is_directory(status))
    {
      const std::size_t before = this->All.size() + this->Repeated;
      this->AddFolder(argument, argument);
      if (this->All.size() + this->Repeated == before)
      {
        throw std::runtime_error("There is no photo in the folder " + Printable(argument) + ".");
      }
    }
    else if (fs::exists(status) || fs::is_symlink(fs::symlink_status(argument, error)))
    {
      if (LowerCase(fs::path(argument).extension().string()) == ".csv")
      {
        this->AddTable(argument);
      }
      else
      {
        this->AddFile(argument, fs::path(argument).filename().string(), fs::path(argument).parent_path().filename());
      }
    }
    else if (argument.find_first_of("*?[{") != std::string::npos)
    {
      this->AddGlob(argument);
    }
    else if (itk::HasPhotoFileEnding(argument) || IsForeignPicture(argument))
    {
      this->AddFile(argument, fs::path(argument).filename().string(), fs::path(argument).parent_path().filename());
    }
    else
    {
      throw std::runtime_error("There is no file, folder or table " + Printable(argument) + ".");
    }
  }

  void TellWhatWasLeftOut()
  {
    if (!this->OtherFiles.empty())
    {
      constexpr std::size_t most = 3;
      std::string names;
      for (std::size_t i = 0; i < std::min(this->OtherFiles.size(), most); ++i)
      {
        names += (i == 0 ? "" : ", ") + Printable(this->OtherFiles[i]);
      }
      this->Notes.push_back(std::to_string(this->OtherFiles.size()) + " files that are not photos are left out: " +
                            names + (this->OtherFiles.size() > most ? ", ..." : "."));
    }
    if (this->OtherObjects > 0)
    {
      this->Notes.push_back(
        std::to_string(this->OtherObjects) + " DICOM objects that are not photographs are left out.");
    }
    if (this->OwnOutputs > 0)
    {
      this->Notes.push_back(std::to_string(this->OwnOutputs) + " outputs of earlier runs are left out.");
    }
    if (this->Repeated > 0)
    {
      this->Notes.push_back(std::to_string(this->Repeated) + " inputs are given more than once and counted once.");
    }
  }

  /// Leaves out the photographs that a report is about.
  void KeepUnreported()
  {
    const std::size_t before = this->All.size();
    this->All.erase(std::remove_if(this->All.begin(), this->All.end(),
                      [this](const Found& found)
                      {
                        const auto uid = this->PhotographUIDs.find(found.Input.Path);
                        return uid != this->PhotographUIDs.end() && this->Reported.count(uid->second) > 0;
                      }),
      this->All.end());
    if (this->All.size() < before)
    {
      this->Notes.push_back(std::to_string(before - this->All.size()) + " photos have a report and are left out.");
    }
  }

private:
  fs::path OutputFolder;
  std::map<std::string, std::string> PhotographUIDs; // path -> SOP Instance UID
  std::set<std::string> Reported;                    // SOP Instance UIDs
  std::size_t OtherObjects{0};
  std::map<std::string, std::size_t> Paths;       // lexically normal path -> place in All
  std::vector<std::pair<dev_t, ino_t>> Ancestors; // of the folder being walked
  std::vector<std::string> OtherFiles;
  std::size_t OwnOutputs{0};
  std::size_t Repeated{0};

  static bool SaysTheSame(const BatchInput& a, const BatchInput& b)
  {
    return a.Eye == b.Eye && a.MicrometersPerPixel == b.MicrometersPerPixel && a.Center == b.Center;
  }

  void Add(Found found)
  {
    const auto [place, isNew] =
      this->Paths.emplace(fs::path(found.Input.Path).lexically_normal().string(), this->All.size());
    if (isNew)
    {
      this->All.push_back(std::move(found));
      return;
    }
    if (!SaysTheSame(found.Input, this->All[place->second].Input))
    {
      throw std::runtime_error(
        Printable(found.Input.Path) + " is given twice with different eye, calibration or centre.");
    }
    ++this->Repeated;
  }

  /// False for a segmentation, a report or a document; a report's photographs are remembered.
  bool IsPhotographIfDICOM(const fs::path& path)
  {
    std::error_code error;
    const auto role = fs::is_regular_file(path, error) ? DescribeDICOM(path.string()) : std::nullopt;
    if (!role)
    {
      return true;
    }
    if (role->IsPhotograph)
    {
      this->PhotographUIDs[path.string()] = role->SOPInstanceUID;
      return true;
    }
    if (role->IsReport)
    {
      this->Reported.insert(role->Photographs.begin(), role->Photographs.end());
    }
    ++(IsOwnOutput(path) ? this->OwnOutputs : this->OtherObjects);
    return false;
  }

  void AddFile(const std::string& path, const std::string& relative, const fs::path& root)
  {
    Found found;
    found.Input.Path = path;
    found.Relative = relative;
    found.Root = root.string();
    this->Add(std::move(found));
  }

  void AddFolder(const fs::path& folder, const fs::path& root)
  {
    struct stat info = {};
    std::pair<dev_t, ino_t> identity;
    if (stat(folder.c_str(), &info) == 0)
    {
      identity = {info.st_dev, info.st_ino};
      if (std::find(this->Ancestors.begin(), this->Ancestors.end(), identity) != this->Ancestors.end())
      {
        return; // a link back to a folder we are in
      }
    }
    std::error_code error;
    if (!this->OutputFolder.empty() && fs::weakly_canonical(folder, error) == this->OutputFolder && folder != root)
    {
      return;
    }
    std::vector<fs::path> entries;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    {
      entries.push_back(it->path());
    }
    if (error)
    {
      Found found;
      found.Input.Path = folder.string();
      found.Input.Problem = "The folder cannot be listed: " + error.message() + ".";
      found.Relative = folder.lexically_relative(root).string();
      found.Root = root.filename().string();
      this->Add(std::move(found));
      return;
    }
    std::sort(entries.begin(), entries.end());
    this->Ancestors.push_back(identity);
    for (const fs::path& entry : entries)
    {
      this->AddEntry(entry, root);
    }
    this->Ancestors.pop_back();
  }

  void AddEntry(const fs::path& entry, const fs::path& root)
  {
    const std::string name = entry.filename().string();
    if (name.empty() || name[0] == '.')
    {
      return; // .DS_Store, ._photo.jpg, our own journal
    }
    std::error_code error;
    const fs::file_status status = fs::status(entry, error);
    if (fs::is_directory(status))
    {
      if (itk::HasPhotoFileEnding(name))
      {
        this->Notes.push_back(Printable(entry.string()) + " is a folder and was searched for photos.");
      }
      this->AddFolder(entry, root);
      return;
    }
    if (!LooksLikeAPhoto(entry))
    {
      this->OtherFiles.push_back(entry.string());
    }
    else if (!this->IsPhotographIfDICOM(entry))
    {
      return;
    }
    else if (IsOwnOutput(entry))
    {
      ++this->OwnOutputs;
    }
    else
    {
      const fs::path base = root.has_filename() ? root : root.parent_path();
      this->AddFile(entry.string(), entry.lexically_relative(root).string(), base.filename());
    }
  }

  void AddGlob(const std::string& pattern)
  {
    glob_t matches = {};
    const int result = glob(pattern.c_str(), GLOB_BRACE | GLOB_TILDE, nullptr, &matches);
    std::vector<std::string> paths(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
    globfree(&matches);
    if (result != 0 || paths.empty())
    {
      throw std::runtime_error("No file matches " + Printable(pattern) + ".");
    }
    // Names keep the folders that the pattern left open.
    const fs::path fixed = fs::path(pattern.substr(0, pattern.find_first_of("*?[{"))).parent_path();
    const std::size_t before = this->All.size() + this->Repeated;
    for (const std::string& path : paths)
    {
      std::error_code error;
      if (fs::is_directory(path, error))
      {
        this->AddFolder(path, fixed.empty() ? fs::path(".") : fixed);
      }
      else if (!LooksLikeAPhoto(path) && !IsDICOM(path))
      {
        this->OtherFiles.push_back(path);
      }
      else if (!this->IsPhotographIfDICOM(path))
      {
        continue;
      }
      else if (IsOwnOutput(path))
      {
        ++this->OwnOutputs;
      }
      else
      {
        const fs::path relative = fixed.empty() ? fs::path(path) : fs::path(path).lexically_relative(fixed);
        this->AddFile(path, BelowRoot(relative), fixed.filename());
      }
    }
    if (this->All.size() + this->Repeated == before)
    {
      throw std::runtime_error("No photo matches " + Printable(pattern) + ".");
    }
  }

  void AddTable(const std::string& fileName)
  {
    const itk::CSVTable table = itk::CSVTable::Read(fileName);
    const std::size_t image = table.RequireColumn("image");
    const auto cell = [&](std::size_t row, const char* column) -> std::string
    {
      const std::size_t c = table.FindColumn(column);
      return c == itk::CSVTable::NotFound ? std::string() : table.Rows[row][c];
    };
    const fs::path folder = fs::path(fileName).parent_path();
    for (std::size_t row = 0; row < table.Rows.size(); ++row)
    {
      const std::string at = Printable(fileName) + ", line " + std::to_string(table.Lines[row]) + ": ";
      const auto number = [&](const char* column) -> std::optional<double>
      {
        const std::string text = cell(row, column);
        if (text.empty())
        {
          return {};
        }
        std::size_t used = 0;
        double value = 0.0;
        try
        {
          value = std::stod(text, &used);
        }
        catch (const std::exception&)
        {
          used = 0;
        }
        if (used != text.size() || !std::isfinite(value))
        {
          throw std::runtime_error(at + column + " should be a number, not \"" + Printable(text) + "\".");
        }
        return value;
      };
      Found found;
      const std::string given = table.Rows[row][image];
      if (given.empty() || given.find('\0') != std::string::npos)
      {
        throw std::runtime_error(at + "the image is not named.");
      }
      found.Input.Path = (folder / given).string();
      found.Relative = BelowRoot(given);
      found.Root = (fs::path(given).is_absolute() ? fs::path(given).parent_path() : folder).filename().string();
      found.Input.Eye = cell(row, "eye");
      if (!found.Input.Eye.empty() && found.Input.Eye != "OD" && found.Input.Eye != "OS" && found.Input.Eye != "auto")
      {
        throw std::runtime_error(at + "eye should be OD, OS or auto, not \"" + Printable(found.Input.Eye) + "\".");
      }
      found.Input.MicrometersPerPixel = number("um_per_pixel");
      if (found.Input.MicrometersPerPixel && *found.Input.MicrometersPerPixel <= 0.0)
      {
        throw std::runtime_error(at + "um_per_pixel should be more than 0.");
      }
      const std::optional<double> x = number("center_x");
      const std::optional<double> y = number("center_y");
      if (x.has_value() != y.has_value())
      {
        throw std::runtime_error(at + "center_x and center_y belong together.");
      }
      if (x)
      {
        const double index[] = {*x, *y};
        found.Input.Center = itk::ContinuousIndex<double, 2>(index);
      }
      this->Add(std::move(found));
    }
    if (table.Rows.empty())
    {
      throw std::runtime_error(Printable(fileName) + " lists no photo.");
    }
  }
};

/// Gives `unique` a value no other has yet: with the root in front when names clash, numbered when they still do.
std::string Unique(const std::string& wanted, const std::string& root, std::set<std::string>& taken)
{
  if (taken.insert(wanted).second)
  {
    return wanted;
  }
  const std::string withRoot = root.empty() || root == "." || root == ".." ? wanted : root + "/" + wanted;
  if (taken.insert(withRoot).second)
  {
    return withRoot;
  }
  for (unsigned number = 2;; ++number)
  {
    const fs::path path(withRoot);
    const std::string numbered =
      (path.parent_path() / (path.stem().string() + "-" + std::to_string(number) + path.extension().string())).string();
    if (taken.insert(numbered).second)
    {
      return numbered;
    }
  }
}

void NameInputs(std::vector<Collector::Found>& all)
{
  // Which of two equal names gets the plain one depends on the paths only, not on the order of arguments.
  std::sort(all.begin(), all.end(),
    [](const auto& a, const auto& b)
    { return a.Relative != b.Relative ? a.Relative < b.Relative : a.Input.Path < b.Input.Path; });
  std::set<std::string> names;
  std::map<std::string, unsigned> stems;
  for (Collector::Found& found : all)
  {
    found.Input.Name = Unique(Printable(found.Relative), Printable(found.Root), names);
    const fs::path name(found.Input.Name);
    found.Input.OutputFolder = name.parent_path().string();
    found.Input.Stem = StemOf(name.filename().string());
    ++stems[(name.parent_path() / found.Input.Stem).string()];
  }
  // x.jpg and x.png in one folder: keep the extension in the names of their outputs. File names are unique, so this
  // ends.
  for (bool clash = true; clash;)
  {
    clash = false;
    const std::map<std::string, unsigned> before = std::exchange(stems, {});
    for (Collector::Found& found : all)
    {
      const fs::path name(found.Input.Name);
      if (before.at((name.parent_path() / found.Input.Stem).string()) > 1 &&
          found.Input.Stem != name.filename().string())
      {
        found.Input.Stem = name.filename().string();
        clash = true;
      }
      ++stems[(name.parent_path() / found.Input.Stem).string()];
    }
  }
}
} // namespace

std::string BatchInputList::Digest() const
{
  itk::FNV1aHash hash;
  for (const BatchInput& input : this->Inputs)
  {
    hash.Update(input.Name + "\n");
  }
  return std::to_string(hash.GetValue());
}

BatchInputList CollectInputs(
  const std::vector<std::string>& arguments, const std::string& outputFolder, bool unreportedOnly)
{
  Collector collector(outputFolder);
  for (const std::string& argument : arguments)
  {
    collector.AddArgument(argument);
  }
  collector.TellWhatWasLeftOut();
  if (unreportedOnly)
  {
    collector.KeepUnreported();
  }
  NameInputs(collector.All);
  BatchInputList list;
  list.Notes = std::move(collector.Notes);
  for (Collector::Found& found : collector.All)
  {
    list.Inputs.push_back(std::move(found.Input));
  }
  std::sort(
    list.Inputs.begin(), list.Inputs.end(), [](const BatchInput& a, const BatchInput& b) { return a.Name < b.Name; });
  return list;
}

std::array<unsigned, 2> ParseShard(const std::string& text)
{
  if (text.empty())
  {
    return {1, 1};
  }
  unsigned index = 0;
  unsigned count = 0;
  char extra = 0;
  if (std::sscanf(text.c_str(), "%u/%u%c", &index, &count, &extra) != 2 || index < 1 || index > count)
  {
    throw std::runtime_error("--shard should be I/N with 1 <= I <= N, for example 2/8, not \"" + text + "\".");
  }
  return {index, count};
}

std::vector<BatchInput> SelectShard(const std::vector<BatchInput>& inputs, const std::array<unsigned, 2>& shard)
{
  std::vector<BatchInput> selected;
  for (std::size_t i = shard[0] - 1; i < inputs.size(); i += shard[1])
  {
    selected.push_back(inputs[i]);
  }
  return selected;
}
} // namespace npsnet
