// SPDX-License-Identifier: Apache-2.0
#ifndef itkLocatorNetwork_h
#define itkLocatorNetwork_h

#include "itkFundusTrainingData.h"

#include <torch/torch.h>

namespace itk
{
/** Side of the square that a photograph is fitted into, and pixels of it per cell of the heat map. */
constexpr unsigned int LocatorInputSize = 256;
constexpr unsigned int LocatorStride = 4;

/** \class LocatorNetwork
 * \brief A small encoder-decoder: B x 3 x 256 x 256 to B x 2 x 64 x 64 (logit of the heat map, log of the diameter).
 */
class LocatorNetwork : public torch::nn::Module
{
public:
  LocatorNetwork();
  torch::Tensor forward(const torch::Tensor & input);

private:
  torch::nn::Sequential m_Down[5];
  torch::nn::Sequential m_Up[3];
  torch::nn::Conv2d     m_Head{ nullptr };
};

/** A square of the photograph as 256 x 256 pixels; several samples a pixel where it shrinks. */
LabelledCrop CutLocatorCrop(const LabelledPhotograph & photograph, const CropPlacement & place);

/** Each channel with mean 0 and standard deviation 1 over what is not black, black pixels 0: the colour of a
 * photograph and its black border say nothing about the place of the disc. */
torch::Tensor PrepareLocatorInput(const ColorRaster & raster);

/** Where the averaged answers to an image and its mirror image have their peak, in pixels of the square. */
struct LocatorPeak
{
  double X{ 0.0 };
  double Y{ 0.0 };
  double Diameter{ 0.0 };
  double Confidence{ 0.0 };
};
/** One image, 3 x 256 x 256. */
LocatorPeak FindLocatorPeak(LocatorNetwork & network, const torch::Tensor & image);
} // namespace itk

#endif
