// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusTrainingData_h
#define itkFundusTrainingData_h

#include "NPSNetTorchExport.h"
#include "itkFundusAppearance.h"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace itk
{
/** One row of the data index: column name to text. */
using TrainingRow = std::map<std::string, std::string>;

/** Rows of a CSV file with a header line. */
NPSNetTorch_EXPORT std::vector<TrainingRow> ReadTrainingIndex(const std::string & fileName);

/** A photograph and its truth (0 background, 128 rim, 255 cup), decoded. */
struct LabelledPhotograph
{
  unsigned int               Width{ 0 };
  unsigned int               Height{ 0 };
  std::vector<unsigned char> Color;  // interleaved RGB
  std::vector<unsigned char> Labels; // empty: none are known
  /** Bounding box of the disc: centre as continuous index, and size in pixels. */
  std::array<double, 2> Centre{ { 0, 0 } };
  std::array<double, 2> Extent{ { 0, 0 } };
};

/** Throws itk::ExceptionObject when a file cannot be read, sizes differ or there is no disc. */
NPSNetTorch_EXPORT LabelledPhotograph ReadLabelledPhotograph(const std::string & image, const std::string & mask);

/** Ratio of the vertical extents of cup and disc in the truth. */
NPSNetTorch_EXPORT double VerticalCupToDiscRatio(const LabelledPhotograph & photograph);

/** How often each of the photographs with these ratios should come, so that a network does not learn to guess the
 * commonest: round((n_max / n)^strength), at most 4, with n photographs in the same tenth and n_max in the fullest. */
NPSNetTorch_EXPORT std::vector<unsigned int> BalancingRepeats(const std::vector<double> & ratios, double strength);

/** Decodes each photograph once, when it is first needed; safe to use from many threads. */
class NPSNetTorch_EXPORT LabelledPhotographStore
{
public:
  /** Without a \a drawnCup the mask does not show how large the cup is. */
  void        Add(const std::string & name, const std::string & image, const std::string & mask, bool drawnCup = true);
  std::size_t GetSize() const { return m_Entries.size(); }
  const std::string &        GetName(std::size_t i) const { return m_Entries[i]->Name; }
  bool                       HasDrawnCup(std::size_t i) const { return m_Entries[i]->DrawnCup; }
  const LabelledPhotograph & Get(std::size_t i) const;

private:
  struct Entry
  {
    std::string        Name;
    std::string        Image;
    std::string        Mask;
    bool               DrawnCup{ true };
    std::once_flag     Once;
    LabelledPhotograph Photograph;
  };
  std::vector<std::unique_ptr<Entry>> m_Entries;
};

/** Where a square crop lies in a photograph. Centre and Side are in pixels of the photograph. */
struct CropPlacement
{
  double CentreX{ 0.0 };
  double CentreY{ 0.0 };
  double Side{ 1.0 };
  double Rotation{ 0.0 }; ///< radians
  double Aspect{ 1.0 };   ///< stretches x by this and y by its inverse
  bool   Flip{ false };   ///< left-right
  bool   Mirror{ false }; ///< mirrored photograph instead of black outside, unless its disc would be seen twice
  double Cupping{ 0.0 };  ///< widens (> 0) or narrows the cup inside its disc; see DeepenCup
  double CutX{ 0.0 };     ///< centre of the square that is left of the photograph when CutSide > 0
  double CutY{ 0.0 };
  double CutSide{ 0.0 };
};

/** The part q' of the disc's radius whose picture is shown at the part \a q in [0, 1]: q (1 - cupping (1 - q^2)).
 * Centre and edge of the disc stay; strictly increasing for -0.5 < cupping < 1. */
inline double DeepenCup(double q, double cupping)
{
  return q * (1.0 - cupping * (1.0 - q * q));
}

/** A crop of N x N pixels; masks are bilinear in [0, 1]. */
struct LabelledCrop
{
  ColorRaster        Image;
  std::vector<bool>  Shown; ///< false where there is no photograph: black, whatever the camera
  std::vector<float> Disc;
  std::vector<float> Cup;
};

/** Half-pixel centres: crop pixel i lies at ((i + 0.5) / N - 0.5) * Side from the centre. */
NPSNetTorch_EXPORT LabelledCrop CutCrop(const LabelledPhotograph & photograph,
                                        const CropPlacement &      place,
                                        unsigned int               size);

/** Makes black what shows no photograph: a change of appearance is the camera's and stops at the photograph's edge. */
NPSNetTorch_EXPORT void BlackenOutside(LabelledCrop & crop);

/** Radii at the outermost 0.5 crossing of each ray about the centre of an N x N mask, in units of N / 2. */
NPSNetTorch_EXPORT std::vector<float> MaskRadii(const std::vector<float> & mask,
                                                unsigned int               size,
                                                unsigned int               angles);

/** Agreement of two masks on the crop, as the paper measures it. */
struct CropAgreement
{
  double DiscDice{ 0.0 };
  double CupDice{ 0.0 };
  double VerticalRatioError{ 0.0 };
  double RimError{ 0.0 };
  double RimCorrelation{ 0.0 };
  bool   HasRimCorrelation{ false };
};
NPSNetTorch_EXPORT CropAgreement CompareCrops(const std::vector<float> & discPrediction,
                                              const std::vector<float> & cupPrediction,
                                              const std::vector<float> & disc,
                                              const std::vector<float> & cup,
                                              unsigned int               size);
} // namespace itk

#endif
