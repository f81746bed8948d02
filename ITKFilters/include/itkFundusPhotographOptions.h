// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusPhotographOptions_h
#define itkFundusPhotographOptions_h

#include "itkContinuousIndex.h"

#include <optional>
#include <string>

namespace itk
{
/** \class FundusPhotographOptions
 * \brief What is known about one photograph.
 * \ingroup NPSNet
 */
struct FundusPhotographOptions
{
  /** "auto", "OD" or "OS". */
  std::string Eye{ "auto" };
  /** Centre of the optic disc, a click: pixel index of the upright photograph. */
  std::optional<ContinuousIndex<double, 2>> Center;
  /** Side of the square crop in photo pixels; empty: twice the located disc diameter. */
  std::optional<double> Side;
  /** Overrides the file's own calibration; 0: none given. */
  double MicrometersPerPixel{ 0.0 };
  /** Base name of outputs; empty: the file's stem. */
  std::string Name;
  /** Frame of a multi-frame DICOM or page of a TIFF file, from 0; only for files. */
  unsigned int Frame{ 0 };
};
} // namespace itk

#endif
