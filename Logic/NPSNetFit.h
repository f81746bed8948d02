// SPDX-License-Identifier: Apache-2.0
#ifndef NPSNetFit_h
#define NPSNetFit_h

#include "NPSNetMasks.h"

#include "itkNestedPolarBoundary.h"

namespace npsnet
{
/// The nested star-convex boundary nearest to a pair of masks (itk::LabelImageToNestedPolarBoundaryFilter), whole on
/// the photo's raster. Throws std::runtime_error when the disc is empty.
itk::NestedPolarBoundary::Pointer FitBoundary(const Masks& masks, const PhotoGeometry& geometry);

/// Both masks of a boundary, on a raster just large enough.
Masks RasterizeBoundary(const itk::NestedPolarBoundary* boundary, const PhotoGeometry& geometry);

/// The photo's whole raster without pixels.
itk::Image<unsigned char, 2>::Pointer MakeRaster(const PhotoGeometry& geometry);

/// Labels 0 background, 1 rim, 2 cup on such a raster.
itk::Image<unsigned char, 2>::Pointer MakeLabels(const Masks& masks, const itk::Image<unsigned char, 2>* raster);
} // namespace npsnet

#endif
