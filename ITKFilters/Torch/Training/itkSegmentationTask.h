// SPDX-License-Identifier: Apache-2.0
#ifndef itkSegmentationTask_h
#define itkSegmentationTask_h

#include "itkFundusTrainingData.h"
#include "itkNPSNetLoss.h"
#include "itkNPSNetModelIO.h"
#include "itkNPSNetPolarSampling.h"
#include "itkTrainingConfiguration.h"
#include "itkTrainingTask.h"

#include <nlohmann/json.hpp>

namespace itk
{
/** \class SegmentationTask
 * \brief Optic disc and cup on crops: the paper's objective on augmented photographs.
 */
class SegmentationTask : public TrainingTask
{
public:
  /** \a configuration as documented in itkNPSNetTrainer.h; \a index is the path of the data index. */
  SegmentationTask(const nlohmann::json & configuration, const std::string & index);

  std::size_t         GetNumberOfSamples() const override { return m_Samples.size(); }
  std::size_t         GetNumberOfValidationPhotographs() const override { return m_Validation.GetSize(); }
  std::string         GetDataHash() const override { return m_DataHash; }
  BatchType           MakeBatch(std::size_t epoch, const std::vector<std::size_t> & samples) const override;
  torch::nn::Module & GetNetwork() override { return *m_Network; }
  LossType            ComputeLoss(const BatchType & batch, double progress) override;
  void                ConstrainParameters() override;
  FiguresType         Validate() override;
  void                WriteModel(const std::string & fileName, const std::string & remark) const override;

private:
  struct Prepared
  {
    LabelledCrop  Crop;
    torch::Tensor Image;
  };
  void          BalanceCupRatios(double strength);
  void          InitializeHeads();
  torch::Tensor PrepareImage(const ColorRaster & raster) const;
  /** Disc and cup on the crop, B x 2 x N x N. */
  torch::Tensor ToCrop(const NPSNetTensors & output);
  NPSNetTensors Forward(const torch::Tensor & crops);

  NPSNetArchitecture                   m_Architecture;
  NPSNetModelMetadata                  m_Metadata;
  NPSNetStorageEnum                    m_Storage;
  NPSNetLossWeights                    m_Weights;
  CropJitter                           m_Jitter;
  FundusAppearanceRanges               m_Appearance;
  std::uint64_t                        m_Seed;
  bool                                 m_ChannelsLast;
  bool                                 m_SoftEdges;
  bool                                 m_BoundUndrawnCups;
  std::shared_ptr<NPSNetNetwork>       m_Network;
  std::unique_ptr<NPSNetPolarSampling> m_Sampling;
  LabelledPhotographStore              m_Training;
  LabelledPhotographStore              m_Validation;
  std::vector<std::size_t>             m_Samples; // into m_Training, with repetitions
  std::string                          m_DataHash;
  std::vector<Prepared>                m_Prepared;
};
} // namespace itk

#endif
