// SPDX-License-Identifier: Apache-2.0
#ifndef itkTorchEngine_h
#define itkTorchEngine_h

#include "itkNPSNetEngine.h"
#include "itkNPSNetNetwork.h"
#include "itkObjectFactoryBase.h"

#include <memory>

namespace itk
{
/** \class TorchEngine
 * \brief The network as LibTorch modules: on a GPU, in other precisions, or as the reference of the processor's engine.
 *
 * LibTorch is called on one thread of its own, whatever thread (never an ITK work unit) calls; calls queue up. Do not
 * fork() after the first call.
 */
class TorchEngine : public NPSNetEngine
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(TorchEngine);

  using Self = TorchEngine;
  using Superclass = NPSNetEngine;
  using Pointer = SmartPointer<Self>;

  itkFactorylessNewMacro(Self);
  itkTypeMacro(TorchEngine, NPSNetEngine);

  void Load(const NPSNetModelFile & file, const NPSNet::Settings & settings) override;

  std::string GetDevice() const override { return m_Device.str(); }
  std::string GetPrecision() const override;
  double      GetPriorScale() const override { return m_PriorScale; }

  void SetNumberOfThreads(unsigned int threads) override;

  NPSNetOccupancies Infer(const float * images,
                          std::size_t   numberOfImages,
                          std::size_t   numberOfRadii,
                          std::size_t   numberOfAngles,
                          bool          raw) const override;

  /** On a GPU the crop goes up once and a kernel samples all hypotheses there. */
  NPSNetOccupancies InferHypotheses(const unsigned char *                rgb,
                                    int                                  side,
                                    const std::vector<PolarHypothesis> & hypotheses,
                                    std::size_t                          numberOfRadii,
                                    std::size_t                          numberOfAngles,
                                    bool                                 bgr,
                                    bool                                 raw) const override;

  std::size_t EstimateBytesPerImage(std::size_t numberOfRadii, std::size_t numberOfAngles) const override;

protected:
  TorchEngine() = default;
  ~TorchEngine() override = default;

private:
  /** On LibTorch's thread; its errors become sentences. `makeImages` gives images x 3 x radii x angles. */
  template <typename TMakeImages>
  NPSNetOccupancies Run(const TMakeImages & makeImages, bool raw) const;
  NPSNetOccupancies Forward(const torch::Tensor & images, bool raw) const;

  std::string                    m_FileName;
  double                         m_PriorScale{ 0.0 };
  torch::Device                  m_Device{ torch::kCPU };
  torch::ScalarType              m_Precision{ torch::kFloat };
  std::shared_ptr<NPSNetNetwork> m_Network;
};

/** \class TorchEngineFactory
 * \brief Makes a TorchEngine when ITK is asked for an object of the class "NPSNetTorchEngine".
 */
class TorchEngineFactory : public ObjectFactoryBase
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(TorchEngineFactory);

  using Self = TorchEngineFactory;
  using Superclass = ObjectFactoryBase;
  using Pointer = SmartPointer<Self>;

  itkFactorylessNewMacro(Self);
  itkTypeMacro(TorchEngineFactory, ObjectFactoryBase);

  const char * GetITKSourceVersion() const override;
  const char * GetDescription() const override;

protected:
  TorchEngineFactory();
  ~TorchEngineFactory() override = default;
};
} // namespace itk

#endif
