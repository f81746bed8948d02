// SPDX-License-Identifier: Apache-2.0
#ifndef itkLocatorTask_h
#define itkLocatorTask_h

#include "itkLocatorNetwork.h"
#include "itkNPSNetModelIO.h"
#include "itkTrainingConfiguration.h"
#include "itkTrainingTask.h"

#include <nlohmann/json.hpp>

namespace itk
{
/** \class LocatorTask
 * \brief Centre and size of the optic disc in squares cut from whole photographs, some of them without a disc.
 */
class LocatorTask : public TrainingTask
{
public:
  LocatorTask(const nlohmann::json & configuration, const std::string & index);

  std::size_t         GetNumberOfSamples() const override { return m_Samples.size(); }
  std::size_t         GetNumberOfValidationPhotographs() const override { return m_Validation.GetSize(); }
  std::string         GetDataHash() const override { return m_DataHash; }
  BatchType           MakeBatch(std::size_t epoch, const std::vector<std::size_t> & samples) const override;
  torch::nn::Module & GetNetwork() override { return *m_Network; }
  LossType            ComputeLoss(const BatchType & batch, double progress) override;
  FiguresType         Validate() override;
  void                WriteModel(const std::string & fileName, const std::string & remark) const override;

private:
  /** A square and where the disc is in it, in its pixels; diameter 0: no disc. */
  struct Sample
  {
    ColorRaster Image;
    double      X{ 0.0 };
    double      Y{ 0.0 };
    double      Diameter{ 0.0 };
  };
  /** Within +- spread, and where the recipe says so by quarters of a circle more: files that were never turned upright.
   */
  double DrawRotation(double spread, TrainingRandom & random) const;
  Sample MakeSample(const LabelledPhotograph & photograph, TrainingRandom & random) const;
  /** A square of the photograph beside its disc, or nothing at all. */
  Sample        MakeEmptySample(const LabelledPhotograph & photograph, TrainingRandom & random) const;
  static Sample MakeUnrelatedSample(TrainingRandom & random);
  Sample        MakeTrainingSample(const LabelledPhotograph & photograph, TrainingRandom & random) const;

  NPSNetModelMetadata             m_Metadata;
  NPSNetStorageEnum               m_Storage;
  FundusAppearanceRanges          m_Appearance;
  LocatorSampling                 m_Sampling;
  std::uint64_t                   m_Seed;
  std::shared_ptr<LocatorNetwork> m_Network;
  LabelledPhotographStore         m_Training;
  LabelledPhotographStore         m_Validation;
  std::vector<std::size_t>        m_Samples;
  std::string                     m_DataHash;
};
} // namespace itk

#endif
