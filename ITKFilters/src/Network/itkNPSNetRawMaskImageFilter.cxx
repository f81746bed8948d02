// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetRawMaskImageFilter.h"

#include "itkNetworkCrop.h"
#include "itkPolarInverseResampleImageFilter.h"
#include "detail/itkPolarSampling.h"
#include "itkResampleImageFilter.h"

#include <cmath>

namespace itk
{
namespace
{
using ImageType = NPSNetRawMaskImageFilter::ImageType;
using MapType = NPSNetImageFilter::MapType;

MapType::Pointer MakeMap(const std::vector<float> & values, SizeValueType width, SizeValueType height)
{
  auto map = MapType::New();
  map->SetRegions(MapType::SizeType{ { width, height } });
  map->Allocate();
  std::copy_n(values.begin(), width * height, map->GetBufferPointer());
  return map;
}

/** [channel][y][x] in [0, 1], channels in the order of the network. */
std::vector<float> MakePlanes(const ImageType * crop, bool bgr)
{
  const SizeValueType count = crop->GetBufferedRegion().GetNumberOfPixels();
  const auto *        pixels = crop->GetBufferPointer();
  std::vector<float>  planes(3 * count);
  for (unsigned int c = 0; c < 3; ++c)
  {
    for (SizeValueType i = 0; i < count; ++i)
    {
      planes[c * count + i] = static_cast<float>(pixels[i][bgr ? 2 - c : c]) * (1.0f / 255.0f);
    }
  }
  return planes;
}
} // namespace

void NPSNetRawMaskImageFilter::VerifyPreconditions() ITKv5_CONST
{
  Superclass::VerifyPreconditions();
  if (m_Network.IsNull())
  {
    itkExceptionMacro("A network must be set: NPSNet::Load() gives one.");
  }
  if (!std::isfinite(m_Side) || m_Side <= 0.0)
  {
    itkExceptionMacro("The side of the crop must be a positive length, not " << m_Side << '.');
  }
}

void NPSNetRawMaskImageFilter::GenerateInputRequestedRegion()
{
  if (auto * input = const_cast<ImageType *>(this->GetInput()))
  {
    input->SetRequestedRegionToLargestPossibleRegion();
  }
}

void NPSNetRawMaskImageFilter::EnlargeOutputRequestedRegion(DataObject * output)
{
  output->SetRequestedRegionToLargestPossibleRegion();
}

void NPSNetRawMaskImageFilter::GenerateData()
{
  const ImageType *          input = this->GetInput();
  const NPSNetArchitecture & a = m_Network->GetArchitecture();
  auto                       progress = ProgressAccumulator::New();
  progress->SetMiniPipelineFilter(this);
  const auto crop = MakeNetworkCrop(input, m_Center, m_Side, a, progress);
  const bool bgr = a.ChannelOrder == "BGR";

  MapType::Pointer maps[2]; // disc, cup, on the raster of the input
  const auto       size = static_cast<std::size_t>(a.CropSize);
  if (a.IsPolar())
  {
    const PolarHypothesis whole;
    std::vector<float>    polar(std::size_t{ 3 } * a.NumberOfRadii * a.NumberOfAngles);
    SamplePolarHypotheses(reinterpret_cast<const unsigned char *>(crop->GetBufferPointer()),
                          static_cast<int>(size),
                          static_cast<int>(size),
                          &whole,
                          1,
                          static_cast<int>(a.NumberOfRadii),
                          static_cast<int>(a.NumberOfAngles),
                          bgr,
                          polar.data());
    const auto result = m_Network->Infer(polar.data(), 1, a.NumberOfRadii, a.NumberOfAngles, true);
    for (unsigned int k = 0; k < 2; ++k)
    {
      auto back = PolarInverseResampleImageFilter<MapType>::New();
      back->SetInput(MakeMap(k == 0 ? result.Disc : result.Cup, a.NumberOfAngles, a.NumberOfRadii));
      back->SetOutputParametersFromImage(input);
      back->SetCenter(m_Center);
      back->SetRadius(0.5 * m_Side);
      back->Update();
      maps[k] = back->GetOutput();
    }
  }
  else
  {
    const auto result = m_Network->Infer(MakePlanes(crop, bgr).data(), 1, size, size, true);
    for (unsigned int k = 0; k < 2; ++k)
    {
      const auto map = MakeMap(k == 0 ? result.Disc : result.Cup, size, size);
      map->CopyInformation(crop);
      auto back = ResampleImageFilter<MapType, MapType>::New();
      back->SetInput(map);
      back->SetOutputParametersFromImage(input);
      back->Update();
      maps[k] = back->GetOutput();
    }
  }

  LabelImageType * output = this->GetOutput();
  output->SetBufferedRegion(output->GetRequestedRegion());
  output->Allocate();
  const SizeValueType count = output->GetBufferedRegion().GetNumberOfPixels();
  const float *       disc = maps[0]->GetBufferPointer();
  const float *       cup = maps[1]->GetBufferPointer();
  m_NumberOfPixelsOutsideTheDisc = 0;
  for (SizeValueType i = 0; i < count; ++i)
  {
    const bool inCup = cup[i] > 0.5f;
    const bool inDisc = disc[i] > 0.5f;
    m_NumberOfPixelsOutsideTheDisc += inCup && !inDisc;
    output->GetBufferPointer()[i] = inCup ? 2 : inDisc ? 1 : 0;
  }
}

void NPSNetRawMaskImageFilter::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  itkPrintSelfObjectMacro(Network);
  os << indent << "Center: " << m_Center << std::endl;
  os << indent << "Side: " << m_Side << std::endl;
  os << indent << "NumberOfPixelsOutsideTheDisc: " << m_NumberOfPixelsOutsideTheDisc << std::endl;
}
} // namespace itk
