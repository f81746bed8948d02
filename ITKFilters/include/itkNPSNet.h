// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNet_h
#define itkNPSNet_h

#include "NPSNetTorchExport.h"
#include "detail/itkNameOfClass.h"
#include "itkNPSNetModelFile.h"
#include "itkObject.h"
#include "itkObjectFactory.h"

#include <memory>
#include <string>
#include <vector>

namespace itk
{
/** \class NPSNetOccupancies
 * \brief What the network says about a batch of polar images.
 *
 * Maps are [image][radius][angle]; confidences [image][angle], empty when the network has no shape prior.
 * For a plain UNet the maps are [image][y][x].
 *
 * \ingroup NPSNet
 */
struct NPSNetOccupancies
{
  std::size_t        NumberOfImages{ 0 };
  std::size_t        NumberOfRadii{ 0 };
  std::size_t        NumberOfAngles{ 0 };
  std::vector<float> Disc;
  std::vector<float> Cup;
  std::vector<float> DiscConfidence;
  std::vector<float> CupConfidence;
};

/** \class NPSNet
 * \brief A trained network, ready to run.
 *
 * Load() reads a model file of this project or the authors' PyTorch checkpoint. A file is read once a process for
 * each device and precision; all objects that load it share the weights, which are freed with the last of them.
 *
 * LibTorch is called on one thread of its own, whatever thread (never an ITK work unit) calls Infer(); calls queue up.
 * So any number of filters and threads may share a network. Do not fork() after the first call.
 *
 * \ingroup NPSNet
 */
class NPSNetTorch_EXPORT NPSNet : public Object
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(NPSNet);

  using Self = NPSNet;
  using Superclass = Object;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkOverrideGetNameOfClassMacro(NPSNet);

  struct Settings
  {
    /** "auto" (a GPU that works, else the CPU), "cpu", "cuda" or "cuda:N". */
    std::string Device{ "auto" };
    /** "auto", "fp32", "bf16" or "fp16". Auto is fp16 on a GPU and fp32 on every CPU. */
    std::string Precision{ "auto" };
    /** CPU threads of LibTorch, for the whole process; 0 keeps what is set (at first: LibTorch's own choice). */
    unsigned int Threads{ 0 };
    /** A negative lambda_c makes the cup's occupancy grow along a ray; such weights are refused unless the authors'
     * results are to be reproduced (TTA mode "reference"). */
    bool AllowNegativePriorScale{ false };
  };

  /** Throws itk::ExceptionObject with one sentence that names the file and the cure. */
  static Pointer Load(const std::string & fileName, const Settings & settings);
  static Pointer Load(const std::string & fileName) { return Load(fileName, Settings()); }

  const std::string &         GetFileName() const;
  const NPSNetModelMetadata & GetMetadata() const;
  const NPSNetArchitecture &  GetArchitecture() const { return this->GetMetadata().Architecture; }

  /** SHA-256 of the file. */
  const std::string & GetSHA256() const;

  /** "cpu" or "cuda:N". */
  const std::string & GetDevice() const;
  /** "fp32", "bf16" or "fp16". */
  const std::string & GetPrecision() const;

  /** lambda_c of the shape prior; 0 without one. */
  double GetPriorScale() const;

  /** Throws the sentence that explains why a negative lambda_c is refused. */
  void RequireNonNegativePriorScale() const;

  /** Runs the network on images [image][channel][radius][angle] in [0, 1], channels as the architecture says. The grid
   * may be another than the one it was trained with. Monotone variants: both maps are non-increasing along
   * rho, nested ones: cup <= disc, everywhere. For a plain UNet: crops [image][channel][y][x].
   *
   * \a raw gives the authors' own arithmetic, without the running minimum that repairs rounding. */
  NPSNetOccupancies Infer(const float * images,
                          std::size_t   numberOfImages,
                          std::size_t   numberOfRadii,
                          std::size_t   numberOfAngles,
                          bool          raw = false) const;

  /** Bytes that one image of a batch needs, roughly: to keep batches within a memory bound. */
  std::size_t EstimateBytesPerImage(std::size_t numberOfRadii, std::size_t numberOfAngles) const;

protected:
  NPSNet();
  ~NPSNet() override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  itkSimpleNewMacro(Self);

  struct Implementation;
  std::shared_ptr<Implementation> m_Implementation;
};
} // namespace itk

#endif
