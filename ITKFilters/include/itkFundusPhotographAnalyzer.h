// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusPhotographAnalyzer_h
#define itkFundusPhotographAnalyzer_h

#include "NPSNetExport.h"
#include "itkFundusAnalyzerSettings.h"
#include "itkFundusPhotographOptions.h"
#include "itkFundusResult.h"
#include "itkObject.h"
#include "itkObjectFactory.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace itk
{
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
class NPSNet_EXPORT FundusPhotographAnalyzer : public Object
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(FundusPhotographAnalyzer);

  using Self = FundusPhotographAnalyzer;
  using Superclass = Object;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  /** Called with the fraction done and the name of the stage; returns false to cancel. */
  using ProgressFunction = std::function<bool(double fraction, const std::string & stage)>;

  /** What is known of a photograph where it takes the photograph's geometry to say it. */
  using PlaceFunction = std::function<void(const FundusPhotograph & photograph, FundusPhotographOptions & options)>;

  itkNewMacro(Self);
  itkTypeMacro(FundusPhotographAnalyzer, Object);

  /** Set before the first Analyze(). */
  void                           SetSettings(const FundusAnalyzerSettings & settings);
  const FundusAnalyzerSettings & GetSettings() const;

  /** Reads the models now. Throws itk::ExceptionObject with one sentence. */
  void Load() const;

  /** Reads and analyzes; Seconds of the result are both. `place` may complete the options once the photograph is read;
   * its exceptions are the caller's. */
  FundusResult Analyze(const std::string &             fileName,
                       const FundusPhotographOptions & options = FundusPhotographOptions(),
                       const ProgressFunction &        progress = ProgressFunction(),
                       const PlaceFunction &           place = PlaceFunction()) const;

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
