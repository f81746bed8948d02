// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusSegmentationObject_h
#define itkFundusSegmentationObject_h

#include "itkDICOMObject.h"
#include "itkFundusResult.h"

namespace itk
{
/** \class FundusSegmentationOptions
 * \brief What the result itself does not know.
 * \ingroup NPSNet
 */
struct FundusSegmentationOptions
{
  unsigned int Frame{ 0 };
  std::string  PersonName;
};

/** Segments of the object, in this order. */
constexpr unsigned int DiscSegmentNumber = 1;
constexpr unsigned int CupSegmentNumber = 2;

/** Identifiers that follow one structure of one eye through segmentation and report. */
std::string TrackingUIDOf(const DICOMObject & photograph, bool disc);
std::string TrackingTextOf(EyeSideEnum eye, bool disc);

/** Fills an empty dataset with a Segmentation object of the result's labels on the photograph's raster. */
void FillSegmentation(DcmDataset &                      dataset,
                      const FundusResult &              result,
                      const DICOMObject &               photograph,
                      const FundusSegmentationOptions & options);
} // namespace itk

#endif
