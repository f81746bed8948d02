// SPDX-License-Identifier: Apache-2.0
#ifndef itkOpticDiscEvaluation_h
#define itkOpticDiscEvaluation_h

#include "NPSNetExport.h"
#include "detail/itkNameOfClass.h"
#include "itkFundusResult.h"
#include "itkObject.h"
#include "itkObjectFactory.h"
#include "itkOpticDiscMetrics.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace itk
{
/** \class OpticDiscEvaluation
 * \brief Compares the segmentation of many photographs with expert masks.
 *
 * Who segments is injected; the engine reads photographs and masks, asks for each photograph what the protocol
 * says, measures on the paper's 512 x 512 crop (side twice the larger side of the true disc's box, centred on it) and
 * makes the tables. A photograph that fails has Dice 0 and validity 0; its other metrics are left out and each metric
 * carries its own n. A row without a photograph, or whose mask is of no use, is counted apart.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT OpticDiscEvaluation : public Object
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(OpticDiscEvaluation);

  using Self = OpticDiscEvaluation;
  using Superclass = Object;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using LabelImageType = FundusPhotograph::LabelImageType;

  enum class ProtocolEnum : uint8_t
  {
    Paper,    // the crop of the truth is given
    Jittered, // the same with a seeded error of centre (+- 8 % of the side) and scale (+- 15 %)
    EndToEnd  // only the photograph is given
  };

  struct Item
  {
    std::string Name; // empty: stem of the image, with its folder where two rows of a set have the same
    std::string ImageFile;
    std::string MaskFile; // 0 / 128 / 255 or 0 / 1 / 2 on the stored raster of the image
    EyeSideEnum Eye{ EyeSideEnum::Unknown };
    std::string Set;   // optional, for the tables by group
    std::string Label; // optional, likewise
  };

  /** What the segmenter gets; Center and Side (photo pixels) are empty end to end. */
  struct Request
  {
    std::string                          Name;
    FundusPhotograph::ConstPointer       Photograph;
    EyeSideEnum                          Eye{ EyeSideEnum::Unknown };
    std::optional<std::array<double, 2>> Center;
    std::optional<double>                Side;
  };

  struct Row
  {
    Item                            Source;
    FundusStatusEnum                Status{ FundusStatusEnum::Failed };
    std::string                     Message;
    bool                            HasTruth{ false }; // false: no photograph or no use in the mask, nothing is counted
    std::optional<OpticDiscMetrics> Metrics;           // empty when nothing was segmented
    bool                            Valid{ false };
    std::optional<double>           Seconds;
    /** Kept for the pictures. */
    NestedPolarBoundary::ConstPointer Boundary;
    LabelImageType::ConstPointer      CropLabels; // only without a boundary

    /** Name and value of everything summed up: metrics and validity. A failed photograph has Dice and validity 0. */
    std::vector<std::pair<std::string, std::optional<double>>> ToList() const;
  };

  /** What became of the rows. */
  struct RowCounts
  {
    std::size_t Counted{ 0 };       // in every mean
    std::size_t NotSegmented{ 0 };  // of these: Dice 0, validity 0
    std::size_t MissingImages{ 0 }; // counted nowhere
    std::size_t UnusableMasks{ 0 }; // likewise
  };

  using Segmenter = std::function<FundusResult(const Request &)>;
  using Observer = std::function<bool(std::size_t done, std::size_t total, const Row & row)>;
  /** A table as read from a CSV file: one map of column to text a row. */
  using TableType = std::vector<std::map<std::string, std::string>>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(OpticDiscEvaluation);

  /** Throws when two rows of a set have the same name: the tables could not tell them apart. */
  void SetItems(std::vector<Item> items);
  void SetSegmenter(Segmenter segmenter) { m_Segmenter = std::move(segmenter); }
  /** Told after each photograph; returns false to stop (the rows so far stay). */
  void SetObserver(Observer observer) { m_Observer = std::move(observer); }

  itkSetEnumMacro(Protocol, ProtocolEnum);
  itkGetEnumMacro(Protocol, ProtocolEnum);
  /** "paper", "jittered", "end-to-end"; anything else throws. */
  static ProtocolEnum ProtocolFromString(const std::string & text);
  static std::string  ProtocolToString(ProtocolEnum protocol);

  /** Of the jitter and of the bootstrap. */
  itkSetMacro(Seed, unsigned int);
  itkGetConstMacro(Seed, unsigned int);

  /** Shown on the page and in the summary. */
  void SetModel(const FundusResult::Model & model) { m_Model = model; }
  itkSetStringMacro(TTAMode);
  itkGetStringMacro(TTAMode);

  void                     Run();
  const std::vector<Row> & GetRows() const { return m_Rows; }

  RowCounts CountRows() const;

  std::string ToPerImageCSV() const;
  std::string ToSummaryJSON() const;
  /** Reads a few photographs again for the pictures. */
  std::string ToHTML() const;
  /** per_image.csv, summary.json, evaluation.html and, unless it is empty, comparison.json: all of them or none. A
   * comparison.json of an earlier run does not stay. */
  void Write(const std::string & directory, const std::string & comparison = "") const;

  /** Paired Wilcoxon test of every metric between two per_image.csv tables (rows matched by name), as JSON:
   * metric -> { mean_a, mean_b, mean_difference, statistic, p_value, method, n }. Throws when a table is no
   * per_image.csv, has two rows of the same set and name or none in common with the other. */
  static std::string Compare(const TableType & a, const TableType & b);

  /** Throws now what Compare() with the rows to come would throw later. */
  void RequireComparable(const TableType & other) const;

  /** Centre and side of the paper's crop in photo pixels; empty when the labels hold no disc. */
  static std::optional<FundusResult::Crop> MakePaperCrop(const LabelImageType * labels);

  /** A mask file (on the stored raster, as label maps are written) as labels 0/1/2 on the raster of the upright
   * photograph; throws one sentence when it does not fit. */
  static LabelImageType::Pointer ReadMask(const std::string & fileName, const FundusPhotograph * photograph);

protected:
  OpticDiscEvaluation() = default;
  ~OpticDiscEvaluation() override = default;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  Row Evaluate(const Item & item) const;

  std::vector<Item>   m_Items;
  Segmenter           m_Segmenter;
  Observer            m_Observer;
  ProtocolEnum        m_Protocol{ ProtocolEnum::Paper };
  unsigned int        m_Seed{ 2024 };
  FundusResult::Model m_Model;
  std::string         m_TTAMode;
  std::vector<Row>    m_Rows;
};
} // namespace itk

#endif
