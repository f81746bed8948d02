// SPDX-License-Identifier: Apache-2.0
#ifndef itkOpticNerveHeadLocator_h
#define itkOpticNerveHeadLocator_h

#include "NPSNetTorchExport.h"
#include "detail/itkNameOfClass.h"
#include "itkFundusPhotograph.h"
#include "itkObject.h"
#include "itkObjectFactory.h"

#include <memory>
#include <string>

namespace itk
{
/** \class OpticNerveHeadLocator
 * \brief Finds the optic nerve head in a whole photograph of any field of view.
 *
 * A small network looks at the photograph and its mirror image, both fitted into a square; the heat maps of its answers
 * are averaged. The confidence is the height of their peak. Below the threshold the location is "not found":
 * a photograph without an optic disc, or one in which nothing certain can be said. What is found may still be a
 * crossing of vessels: see CertaintyThreshold.
 *
 * Loaded once, Locate() may be called from many threads; the network runs on LibTorch's one thread.
 *
 * \ingroup NPSNet
 */
class NPSNetTorch_EXPORT OpticNerveHeadLocator : public Object
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(OpticNerveHeadLocator);

  using Self = OpticNerveHeadLocator;
  using Superclass = Object;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using ImageType = FundusPhotograph::ImageType;
  using PointType = ImageType::PointType;

  itkOverrideGetNameOfClassMacro(OpticNerveHeadLocator);

  struct Location
  {
    bool      Found{ false };
    bool      Certain{ false };  ///< found, and with a confidence that squares without a disc hardly reach
    PointType Center{};          ///< physical
    double    Diameter{ 0.0 };   ///< physical, of the longer side of the disc's bounding box
    double    Confidence{ 0.0 }; ///< in [0, 1]
  };

  /** Throws itk::ExceptionObject with one sentence when the file is not a locator or the device cannot be used. Threads
   * are those of LibTorch, for all networks of the process; 0 leaves them as they are. */
  static Pointer Load(const std::string & fileName, const std::string & device = "auto", unsigned int threads = 0);

  /** Always gives the best guess; Found says whether it can be trusted. */
  Location Locate(const ImageType * image) const;

  /** Least confidence of a found disc. Default: what the model file recommends. */
  itkSetMacro(ConfidenceThreshold, double);
  itkGetConstMacro(ConfidenceThreshold, double);

  /** Least confidence of a disc that need not be checked. Default 0.6: one of 171 validation photographs with a disc
   * lies below. */
  itkSetMacro(CertaintyThreshold, double);
  itkGetConstMacro(CertaintyThreshold, double);

  /** SHA-256 of the model file. */
  itkGetStringMacro(ModelSHA256);

protected:
  OpticNerveHeadLocator();
  ~OpticNerveHeadLocator() override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  struct Implementation;
  std::unique_ptr<Implementation> m_Implementation;
  double                          m_ConfidenceThreshold{ 0.5 };
  double                          m_CertaintyThreshold{ 0.6 };
  std::string                     m_ModelSHA256;
};
} // namespace itk

#endif
