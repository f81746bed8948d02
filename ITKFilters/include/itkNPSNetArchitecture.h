// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetArchitecture_h
#define itkNPSNetArchitecture_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <map>
#include <string>
#include <vector>

namespace itk
{
/** The networks of the paper, each adding one idea to the one before. */
enum class NPSNetVariant : unsigned char
{
  UNet,      ///< plain Cartesian UNet, two sigmoid maps
  PolarUNet, ///< B1: UNet on the polar image, two sigmoid maps
  Monotone,  ///< B2: independent monotone disc and cup heads
  Nested,    ///< B3: cup = disc x gate
  ShapePrior ///< B4: NPS-Net, with the entropy-gated shape prior
};

/** \class NPSNetArchitecture
 * \brief Everything that has to be known, beside the weights, to build a network and to prepare its input.
 *
 * Defaults are those of the published model. New kinds of model keep their own settings in Extra.
 *
 * \ingroup NPSNet
 */
struct NPSNet_EXPORT NPSNetArchitecture
{
  NPSNetVariant         Variant{ NPSNetVariant::ShapePrior };
  std::vector<unsigned> Channels{ 64, 128, 256, 512 }; ///< encoder widths; the bottleneck has twice the last
  unsigned              ShapeFeatures{ 128 };          ///< width of the shape prior branch (B4)
  unsigned              NumberOfRadii{ 256 };
  unsigned              NumberOfAngles{ 360 };
  unsigned              CropSize{ 512 };          ///< side of the square crop in pixels
  unsigned              NormGroups{ 8 };          ///< groups of the GroupNorm layers
  unsigned              GroupNormStages{ 2 };     ///< outermost stages with GroupNorm, BatchNorm elsewhere
  double                ShapeTemperature{ 0.5 };  ///< softmax temperature of the boundary distributions
  double                PriorSoftness{ 0.03 };    ///< tau of the rendered prior
  unsigned              ContextFeatures{ 0 };     ///< width of the angular context at the bottleneck; 0: none
  unsigned              HeadContextFeatures{ 0 }; ///< the same for the features that the heads read
  unsigned              ContextHarmonics{ 2 };    ///< angular harmonics the contexts know

  /** How the crop becomes the network's input: this channel order, CLAHE on L of Lab, divided by 255. */
  std::string ChannelOrder{ "BGR" };
  double      ClaheClipLimit{ 2.0 }; ///< 0: no enhancement
  unsigned    ClaheTiles{ 8 };

  std::map<std::string, std::string> Extra;

  bool IsPolar() const { return Variant != NPSNetVariant::UNet; }
  bool IsMonotone() const { return Variant >= NPSNetVariant::Monotone; }
  bool IsNested() const { return Variant >= NPSNetVariant::Nested; }
  bool HasShapePrior() const { return Variant == NPSNetVariant::ShapePrior; }

  /** Throws itk::ExceptionObject with one sentence when no such network can be built. */
  void Validate() const;

  /** A JSON object with every field; reading it back gives an equal architecture. */
  std::string               ToJSON() const;
  static NPSNetArchitecture FromJSON(const std::string & json);

  bool operator==(const NPSNetArchitecture & other) const;
  bool operator!=(const NPSNetArchitecture & other) const { return !(*this == other); }
};

/** "unet", "b1", "b2", "b3", "b4". */
NPSNet_EXPORT std::string NPSNetVariantToString(NPSNetVariant variant);
/** Throws itk::ExceptionObject for an unknown name. */
NPSNet_EXPORT NPSNetVariant NPSNetVariantFromString(const std::string & name);
} // namespace itk

#endif
