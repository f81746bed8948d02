// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetEngine_h
#define itkNPSNetEngine_h

#include "itkNPSNet.h"
#include "detail/itkPolarSampling.h"

namespace itk
{
/** \class NPSNetEngine
 * \brief What computes a network for itk::NPSNet.
 *
 * The engine of the processor is built in. Others are plug-ins: libraries with an ITK object factory that makes an
 * object of the class name they are asked for ("NPSNetTorchEngine": GPUs, other precisions, the reference in tests).
 *
 * \ingroup NPSNet
 * \sa NPSNet
 */
class NPSNet_EXPORT NPSNetEngine : public Object
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(NPSNetEngine);

  using Self = NPSNetEngine;
  using Superclass = Object;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkTypeMacro(NPSNetEngine, Object);

  /** Called once, before anything else. The file may go afterwards. Throws itk::ExceptionObject. */
  virtual void Load(const NPSNetModelFile & file, const NPSNet::Settings & settings) = 0;

  virtual std::string GetDevice() const = 0;
  virtual std::string GetPrecision() const = 0;
  virtual double      GetPriorScale() const = 0;

  virtual void SetNumberOfThreads(unsigned int threads) = 0;

  /** As NPSNet::Infer(); images are finite and not too small. Any number of threads may call it. */
  virtual NPSNetOccupancies Infer(const float * images,
                                  std::size_t   numberOfImages,
                                  std::size_t   numberOfRadii,
                                  std::size_t   numberOfAngles,
                                  bool          raw) const = 0;

  /** As NPSNet::InferHypotheses(). Here: samples on the processor, then Infer(). */
  virtual NPSNetOccupancies InferHypotheses(const unsigned char *                rgb,
                                            int                                  side,
                                            const std::vector<PolarHypothesis> & hypotheses,
                                            std::size_t                          numberOfRadii,
                                            std::size_t                          numberOfAngles,
                                            bool                                 bgr,
                                            bool                                 raw) const;

  virtual std::size_t EstimateBytesPerImage(std::size_t numberOfRadii, std::size_t numberOfAngles) const = 0;

protected:
  NPSNetEngine() = default;
  ~NPSNetEngine() override = default;
};
} // namespace itk

#endif
