// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetNetwork.h"

#include "itkMacro.h"
#include "itkNPSNetFusedEncoderDecoder.h"
#include "itkNPSNetInferenceKernels.h"
#include "itkNPSNetLayers.h"

#include <cmath>

namespace itk
{
namespace
{
torch::Tensor RadialAbscissae(int64_t n, const torch::Tensor & like)
{
  return torch::linspace(0, 1, n, torch::TensorOptions().dtype(torch::kFloat).device(like.device())).view({ 1, n, 1 });
}

torch::Tensor RunningMinimum(const torch::Tensor & occupancy)
{
  return std::get<0>(occupancy.cummin(2));
}

/** Plain UNet (Cartesian) and B1 (polar): cup and disc as independent sigmoid maps, in the authors' channel order. */
class MaskNetwork : public NPSNetNetwork
{
public:
  explicit MaskNetwork(const NPSNetArchitecture & a)
    : NPSNetNetwork(a)
    , m_Net(a)
  {
    // The authors' baselines have no name in front of the encoder-decoder's parts.
    for (const auto & child : m_Net->named_children())
    {
      register_module(child.key(), child.value());
    }
    m_FinalConv = register_module("final_conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(a.Channels[0], 2, 1)));
  }

  NPSNetTensors forward(const torch::Tensor & image) override
  {
    const auto    logits = m_FinalConv->forward(m_Net->forward(image)).to(torch::kFloat);
    NPSNetTensors t;
    t.L_c = logits.narrow(1, 0, 1);
    t.L_d = logits.narrow(1, 1, 1);
    t.P_c = t.L_c.sigmoid();
    t.P_d = t.L_d.sigmoid();
    if (GetArchitecture().IsPolar())
    {
      t.r_d_m = NPSNetRadiiFromOccupancy(t.P_d);
      t.r_c_m = NPSNetRadiiFromOccupancy(t.P_c);
    }
    return t;
  }

private:
  npsnet::EncoderDecoder m_Net;
  torch::nn::Conv2d      m_FinalConv{ nullptr };
};

struct FusionImpl : torch::nn::Module
{
  FusionImpl() { lambda_c = register_parameter("lambda_c", torch::tensor(0.1F)); }
  torch::Tensor lambda_c;
};
TORCH_MODULE(Fusion);

/** B2, B3 and B4: monotone heads on the polar encoder-decoder. */
class MonotoneNetwork : public NPSNetNetwork
{
public:
  explicit MonotoneNetwork(const NPSNetArchitecture & a)
    : NPSNetNetwork(a)
  {
    const int64_t features = a.Channels[0];
    m_Net = register_module("polar_unet", npsnet::EncoderDecoder(a));
    if (a.HeadContextFeatures > 0)
    {
      m_Context =
        register_module("head_context", npsnet::AngularContext(features, a.HeadContextFeatures, a.ContextHarmonics));
    }
    m_DiscHead = register_module("disc_head", npsnet::MonotoneHead(features, ""));
    m_CupHead = register_module(a.Variant == NPSNetVariant::Nested ? "cup_gate" : "cup_head",
                                npsnet::MonotoneHead(features, a.IsNested() ? "cup_" : ""));
    if (a.HasShapePrior())
    {
      m_ShapePrior = register_module("shape_prior", npsnet::ShapePrior(features, a.ShapeFeatures, a.NumberOfRadii));
      m_Fusion = register_module("fusion", Fusion());
    }
  }

  NPSNetTensors forward(const torch::Tensor & polarImage) override
  {
    const auto & a = GetArchitecture();
    const bool   fused = m_Fused && !this->is_training();
    auto         features = fused ? m_Fused->forward(polarImage) : m_Net->forward(polarImage);
    if (m_Context)
    {
      features = m_Context->forward(features).contiguous(features.suggest_memory_format());
    }
    const auto rhoMean =
      fused ? npsnet::MeanOverRadii(features) : features.mean(2, false, m_DiscHead->bias_conv->weight.scalar_type());
    const double  scale = static_cast<double>(a.NumberOfRadii) / static_cast<double>(features.size(2));
    NPSNetTensors t;
    t.L_d = m_DiscHead->forward(features, rhoMean, scale);
    t.P_d = t.L_d.sigmoid();
    t.L_c = m_CupHead->forward(features, rhoMean, scale);
    if (a.HasShapePrior())
    {
      this->ApplyShapePrior(t, rhoMean, features.size(2));
    }
    t.P_c = a.IsNested() ? t.P_d * t.L_c.sigmoid() : t.L_c.sigmoid();
    if (!this->is_training())
    {
      t.P_d = RunningMinimum(t.P_d);
      t.P_c = RunningMinimum(t.P_c);
      if (a.IsNested())
      {
        t.P_c = torch::minimum(t.P_c, t.P_d);
      }
    }
    t.r_d_m = NPSNetRadiiFromOccupancy(t.P_d);
    t.r_c_m = NPSNetRadiiFromOccupancy(t.P_c);
    return t;
  }

  void OptimizeForInference(torch::ScalarType precision) override
  {
    torch::NoGradGuard noGrad;
    m_Fused =
      std::make_unique<npsnet::FusedEncoderDecoder>(GetArchitecture(), this->GetState(), "polar_unet.", precision);
  }

  double GetPriorScale() const override { return m_Fusion ? m_Fusion->lambda_c.item<double>() : 0.0; }

private:
  void ApplyShapePrior(NPSNetTensors & t, const torch::Tensor & rhoMean, int64_t rows)
  {
    const auto & a = GetArchitecture();
    const auto   logits = m_ShapePrior->forward(rhoMean);
    const auto   bins = RadialAbscissae(a.NumberOfRadii, rhoMean);
    t.p_d = (logits.first / a.ShapeTemperature).softmax(1);
    t.p_alpha = (logits.second / a.ShapeTemperature).softmax(1);
    t.r_d_s = (bins * t.p_d).sum(1);
    t.alpha_s = (bins * t.p_alpha).sum(1);
    t.r_c_s = t.alpha_s * t.r_d_s;

    const double logBins = std::log(static_cast<double>(a.NumberOfRadii));
    const auto   confidence = [logBins](const torch::Tensor & p) {
      return 1.0 + (p * (p + 1e-8).log()).sum(1) / logBins;
    };
    t.gamma_d = confidence(t.p_d);
    t.gamma_c = confidence(t.p_alpha);

    const auto prior = ((t.r_c_s.unsqueeze(1) - RadialAbscissae(rows, rhoMean)) / a.PriorSoftness)
                         .sigmoid()
                         .clamp(1e-6, 1.0 - 1e-6)
                         .unsqueeze(1);
    t.L_c = t.L_c + m_Fusion->lambda_c * t.gamma_c.unsqueeze(1).unsqueeze(1) * (prior / (1.0 - prior)).log();
  }

  npsnet::EncoderDecoder                       m_Net{ nullptr };
  std::unique_ptr<npsnet::FusedEncoderDecoder> m_Fused;
  npsnet::AngularContext                       m_Context{ nullptr };
  npsnet::MonotoneHead                         m_DiscHead{ nullptr }, m_CupHead{ nullptr };
  npsnet::ShapePrior                           m_ShapePrior{ nullptr };
  Fusion                                       m_Fusion{ nullptr };
};
} // namespace

std::shared_ptr<NPSNetNetwork> MakeNPSNetNetwork(const NPSNetArchitecture & architecture)
{
  architecture.Validate();
  switch (architecture.Variant)
  {
    case NPSNetVariant::UNet:
    case NPSNetVariant::PolarUNet:
      return std::make_shared<MaskNetwork>(architecture);
    case NPSNetVariant::Monotone:
    case NPSNetVariant::Nested:
    case NPSNetVariant::ShapePrior:
      return std::make_shared<MonotoneNetwork>(architecture);
  }
  itkGenericExceptionMacro("No network is known for this variant.");
}

torch::Tensor NPSNetRadiiFromOccupancy(const torch::Tensor & occupancy)
{
  const auto p = occupancy.squeeze(1);
  const auto n = p.size(1);
  const auto b = torch::cat({ p.narrow(1, 0, n - 1) - p.narrow(1, 1, n - 1), p.narrow(1, n - 1, 1) }, 1).clamp_min(0.0);
  return (RadialAbscissae(n, p) * b).sum(1) / (b.sum(1) + 1e-8);
}

bool NPSNetNetwork::IsDerivedTensor(const std::string & name)
{
  const auto startsWith = [&name](const std::string & prefix) { return name.compare(0, prefix.size(), prefix) == 0; };
  return startsWith("polar_grid.") || startsWith("polar_to_cart.") || startsWith("warper.") || startsWith("geom.") ||
         name == "shape_prior.rho";
}

TorchModuleState NPSNetNetwork::GetState() const
{
  return GetTorchModuleState(*this);
}

void NPSNetNetwork::SetState(const TorchModuleState & state)
{
  SetTorchModuleState(
    *this, state, std::string("a ") + NPSNetVariantToString(m_Architecture.Variant) + " network", IsDerivedTensor);
}
} // namespace itk
