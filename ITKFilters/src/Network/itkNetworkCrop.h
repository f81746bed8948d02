// SPDX-License-Identifier: Apache-2.0
#ifndef itkNetworkCrop_h
#define itkNetworkCrop_h

#include "itkNPSNetArchitecture.h"
#include "itkNPSNetImageFilter.h"
#include "itkProgressAccumulator.h"

namespace itk
{
/** The square crop of an image as the network of this architecture wants to see it: resampled and equalised. */
NPSNetImageFilter::ImageType::Pointer MakeNetworkCrop(const NPSNetImageFilter::ImageType * image,
                                                      const NPSNetImageFilter::PointType & center,
                                                      double                               side,
                                                      const NPSNetArchitecture &           architecture,
                                                      ProgressAccumulator *                progress);
} // namespace itk

#endif
