// SPDX-License-Identifier: Apache-2.0
#ifndef itkUnrelatedPicture_h
#define itkUnrelatedPicture_h

#include "NPSNetTorchExport.h"
#include "itkFundusAppearance.h"

namespace itk
{
/** Fills the raster with a picture that is not a fundus photograph, as they get into every large folder: textures,
 * shapes and lines in any colour, some in a round field on black. What the locator must not find an optic disc in. */
NPSNetTorch_EXPORT void DrawUnrelatedPicture(ColorRaster & raster, TrainingRandom & random);

/** Bright spots, as reflections of the lens, exudates and scars are: brighter than their surroundings, but no disc.
 * None of them reaches closer to (x, y) than \a distance; all in pixels of the raster. */
NPSNetTorch_EXPORT void DrawBrightSpots(ColorRaster &    raster,
                                        double           x,
                                        double           y,
                                        double           distance,
                                        TrainingRandom & random);
} // namespace itk

#endif
