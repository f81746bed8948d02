// SPDX-License-Identifier: Apache-2.0
#ifndef SampleResult_h
#define SampleResult_h

#include "TestImages.h"
#include "itkFundusResult.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itkRimMeasurementCalculator.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

/** Expert labels 0/1/2 of a sample photograph. */
inline GreyImage::Pointer ReadExpertLabels(const std::string & name)
{
  static std::map<std::string, GreyImage::Pointer> cache; // the pixels are never changed
  if (cache.count(name) > 0)
  {
    return cache[name];
  }
  const auto mask = ReadTestImage<GreyImage>(NPSNET_RESOURCES_DIR "/SampleData/" + name + "_mask.png");
  for (itk::ImageRegionIteratorWithIndex<GreyImage> it(mask, mask->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(it.Get() == 255 ? 2 : it.Get() == 128 ? 1 : 0);
  }
  cache[name] = mask;
  return mask;
}

inline itk::FundusPhotograph::Pointer ReadSamplePhotograph(const std::string & name)
{
  static std::map<std::string, itk::FundusPhotograph::Pointer> cache;
  if (cache.count(name) > 0)
  {
    return cache[name];
  }
  const auto image = ReadTestImage<RGBImage>(NPSNET_RESOURCES_DIR "/SampleData/" + name + ".jpg");
  const auto size = image->GetBufferedRegion().GetSize();
  auto       photograph = itk::FundusPhotograph::New();
  photograph->SetImage(image);
  itk::StoredGeometry stored;
  stored.Size = { { static_cast<unsigned>(size[0]), static_cast<unsigned>(size[1]) } };
  photograph->SetStored(stored);
  photograph->SetFileName(name + ".jpg");
  cache[name] = photograph;
  return photograph;
}

/** A sample photograph with the expert's segmentation, as masks or as a boundary (with made-up confidences). */
inline itk::FundusResult MakeSampleResult(const std::string & name,
                                          itk::EyeSideEnum    eye,
                                          double              micrometersPerPixel = 0.0,
                                          bool                asBoundary = false)
{
  itk::FundusResult result;
  result.Name = name;
  result.InputFileName = name + ".jpg";
  result.Status = itk::FundusStatusEnum::Ok;
  result.Eye = eye;
  result.EyeSource = eye == itk::EyeSideEnum::Unknown ? itk::EyeSourceEnum::None : itk::EyeSourceEnum::FileName;
  result.CalibrationSource = micrometersPerPixel > 0.0 ? "user" : "";
  result.SetPhotograph(ReadSamplePhotograph(name));
  const auto labels = ReadExpertLabels(name);
  result.Labels = labels;
  auto calculator = itk::RimMeasurementCalculator::New();
  calculator->SetEye(eye);
  calculator->SetMicrometersPerPixel(micrometersPerPixel);
  calculator->SetPhotograph(labels);
  result.Measurements = calculator->Compute(labels);
  if (asBoundary)
  {
    const auto &        m = result.Measurements;
    const double        radius = 2.0 * *m.EquivalentDiscRadius;
    std::vector<double> disc;
    std::vector<double> cup;
    std::vector<double> discConfidence;
    std::vector<double> cupConfidence;
    for (std::size_t k = 0; k < m.Profile.size(); ++k)
    {
      disc.push_back(std::min(1.0, m.Profile[k].DiscRadius / radius));
      cup.push_back(std::min(disc.back(), m.Profile[k].CupRadius / radius));
      discConfidence.push_back(0.7 + 0.1 * std::cos(0.05 * static_cast<double>(k)));
      cupConfidence.push_back(0.5 + 0.2 * std::sin(2.0 * itk::Math::pi * static_cast<double>(k) / 360.0));
    }
    auto boundary = itk::NestedPolarBoundary::New();
    boundary->SetAnchor(result.Photograph->IndexToPoint(*m.DiscCentroid));
    boundary->SetRadius(radius);
    boundary->SetRadii(disc, cup);
    boundary->SetConfidences(discConfidence, cupConfidence);
    result.Measurements = calculator->Compute(boundary);
    result.Boundary = boundary;
  }
  result.Valid = true;
  result.Seconds = 1.5;
  return result;
}

#endif
