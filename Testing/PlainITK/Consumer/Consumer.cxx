// SPDX-License-Identifier: Apache-2.0
#include "itkNestedPolarBoundaryToLabelImageFilter.h"
#include "itkRimMeasurementCalculator.h"

#include <iostream>

int main()
{
  auto boundary = itk::NestedPolarBoundary::New();
  boundary->SetAnchor(itk::Point<double, 2>(50.0));
  boundary->SetRadius(40.0);
  boundary->SetRadii(std::vector<double>(360, 0.8), std::vector<double>(360, 0.4));
  auto photograph = itk::Image<unsigned char, 2>::New();
  photograph->SetRegions(itk::Size<2>{{101, 101}});
  auto labels = itk::NestedPolarBoundaryToLabelImageFilter::New();
  labels->SetBoundary(boundary);
  labels->SetReferenceImage(photograph);
  labels->Update();
  const double ratio = *itk::RimMeasurementCalculator::New()->Compute(boundary).VerticalCupToDiscRatio;
  std::cout << "vCDR " << ratio << ", centre " << int{labels->GetOutput()->GetPixel({{50, 50}})} << '\n';
  return ratio > 0.499 && ratio < 0.501 && labels->GetOutput()->GetPixel({{50, 50}}) == 2 ? 0 : 1;
}
