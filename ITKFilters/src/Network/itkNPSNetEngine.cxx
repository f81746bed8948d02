// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetEngine.h"

namespace itk
{
NPSNetOccupancies NPSNetEngine::InferHypotheses(const unsigned char *                rgb,
                                                int                                  side,
                                                const std::vector<PolarHypothesis> & hypotheses,
                                                std::size_t                          numberOfRadii,
                                                std::size_t                          numberOfAngles,
                                                bool                                 bgr,
                                                bool                                 raw) const
{
  std::vector<float> images(hypotheses.size() * 3 * numberOfRadii * numberOfAngles);
  SamplePolarHypotheses(rgb,
                        side,
                        side,
                        hypotheses.data(),
                        hypotheses.size(),
                        static_cast<int>(numberOfRadii),
                        static_cast<int>(numberOfAngles),
                        bgr,
                        images.data());
  return this->Infer(images.data(), hypotheses.size(), numberOfRadii, numberOfAngles, raw);
}
} // namespace itk
