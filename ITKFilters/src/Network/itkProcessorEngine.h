// SPDX-License-Identifier: Apache-2.0
#ifndef itkProcessorEngine_h
#define itkProcessorEngine_h

#include "itkNPSNetEngine.h"
#include "itkSegmentationNetwork.h"

#include <memory>

namespace itk
{
/** \class ProcessorEngine
 * \brief npsnet::SegmentationNetwork as an engine: fp32 on the processor, always there.
 */
class ProcessorEngine : public NPSNetEngine
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(ProcessorEngine);

  using Self = ProcessorEngine;
  using Superclass = NPSNetEngine;
  using Pointer = SmartPointer<Self>;

  itkFactorylessNewMacro(Self);
  itkTypeMacro(ProcessorEngine, NPSNetEngine);

  void Load(const NPSNetModelFile & file, const NPSNet::Settings & settings) override;

  std::string GetDevice() const override { return "cpu"; }
  std::string GetPrecision() const override { return "fp32"; }
  double      GetPriorScale() const override { return m_Network->GetPriorScale(); }

  void SetNumberOfThreads(unsigned int threads) override;

  NPSNetOccupancies Infer(const float * images,
                          std::size_t   numberOfImages,
                          std::size_t   numberOfRadii,
                          std::size_t   numberOfAngles,
                          bool          raw) const override;

  std::size_t EstimateBytesPerImage(std::size_t numberOfRadii, std::size_t numberOfAngles) const override;

protected:
  ProcessorEngine() = default;
  ~ProcessorEngine() override = default;

private:
  std::unique_ptr<npsnet::SegmentationNetwork> m_Network;
  bool                                         m_HasShapePrior{ false };
};
} // namespace itk

#endif
