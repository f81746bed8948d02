// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusPhotographAnalyzer_h
#define itkFundusPhotographAnalyzer_h

#include "NPSNetTorchExport.h"
#include "detail/itkNameOfClass.h"
#include "itkFundusResult.h"
#include "itkObject.h"
#include "itkObjectFactory.h"
#include "itkPolarTTASettings.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace itk
{
/** \class FundusAnalyzerSettings
 * \brief What holds for all photographs of an analyzer.
 * \ingroup NPSNet
 */
struct NPSNetTorch_EXPORT FundusAnalyzerSettings
{
  /** Empty: the default models, see ModelFiles. */
  std::string ModelFile;
  std::string LocatorFile;

  /** "auto" takes what did best on validation photographs with the default model. */
  std::string TTAMode{ "auto" };
  /** Everything else about TTA; its Mode is replaced by TTAMode. */
  PolarTTASettings TTA;

  std::string  Device{ "auto" };
  std::string  Precision{ "auto" };
  unsigned int Threads{ 0 };

  /** False: a photograph is already a crop centred on the disc (its largest centred square). */
  bool Locate{ true };

  /** Analyse a second time on a crop about the disc that the first pass found. Not for crops (Locate false). */
  bool Recenter{ true };

  /** A photograph with more pixels is refused before it is decoded. */
  std::size_t MaximumNumberOfPixels{ std::size_t{ 200 } * 1000 * 1000 };
};

/** \class FundusPhotographOptions
 * \brief What is known about one photograph.
 * \ingroup NPSNet
 */
struct NPSNetTorch_EXPORT FundusPhotographOptions
{
  /** "auto", "OD" or "OS". */
  std::string Eye{ "auto" };
  /** Centre of the optic disc in photo pixels (upright): a click. */
  std::optional<std::array<double, 2>> Center;
  /** Side of the square crop in photo pixels; empty: twice the located disc diameter. */
  std::optional<double> Side;
  /** Overrides the file's own calibration; 0: none given. */
  double MicrometersPerPixel{ 0.0 };
  /** Base name of outputs; empty: the file's stem. */
  std::string Name;
};

/** \class FundusPhotographAnalyzer
 * \brief The whole way from a photograph to boundary, label map and measurements in one call.
 *
 * Models are loaded once, by Load() or the first Analyze(). Analyze() may be called from several threads at once; the
 * network itself runs on one thread (see NPSNet), the rest of the work is done on the caller's and ITK's threads.
 *
 * A photograph that cannot be read or analysed is a result whose status and message say why. Exceptions are
 * thrown only for what concerns every photograph (models, device) and for cancellation (itk::ProcessAborted).
 *
 * \ingroup NPSNet
 */
class NPSNetTorch_EXPORT FundusPhotographAnalyzer : public Object
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(FundusPhotographAnalyzer);

  using Self = FundusPhotographAnalyzer;
  using Superclass = Object;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  /** Called with the fraction done and the name of the stage; returns false to cancel. */
  using ProgressFunction = std::function<bool(double fraction, const std::string & stage)>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(FundusPhotographAnalyzer);

  /** Set before the first Analyze(). */
  void                           SetSettings(const FundusAnalyzerSettings & settings);
  const FundusAnalyzerSettings & GetSettings() const;

  /** Reads the models now. Throws itk::ExceptionObject with one sentence. */
  void Load() const;

  FundusResult Analyze(const std::string &             fileName,
                       const FundusPhotographOptions & options = FundusPhotographOptions(),
                       const ProgressFunction &        progress = ProgressFunction()) const;

  FundusResult Analyze(const FundusPhotograph *        photograph,
                       const FundusPhotographOptions & options = FundusPhotographOptions(),
                       const ProgressFunction &        progress = ProgressFunction()) const;

protected:
  FundusPhotographAnalyzer();
  ~FundusPhotographAnalyzer() override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  struct Implementation;
  std::unique_ptr<Implementation> m_Implementation;
};
} // namespace itk

#endif
