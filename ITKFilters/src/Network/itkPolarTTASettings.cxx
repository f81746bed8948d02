// SPDX-License-Identifier: Apache-2.0
#include "itkPolarTTASettings.h"

#include "itkEnumText.h"
#include "itkNPSNetThrow.h"

#include <algorithm>
#include <cmath>

namespace itk
{
namespace
{
constexpr EnumText<PolarTTAModeEnum> ModeNames[] = { { PolarTTAModeEnum::Off, "off" },
                                                     { PolarTTAModeEnum::Reference, "reference" },
                                                     { PolarTTAModeEnum::Symmetric, "symmetric" },
                                                     { PolarTTAModeEnum::Paper, "paper" },
                                                     { PolarTTAModeEnum::Full, "full" },
                                                     { PolarTTAModeEnum::Fast, "fast" },
                                                     { PolarTTAModeEnum::Custom, "custom" } };
} // namespace

std::string PolarTTAModeToString(PolarTTAModeEnum mode)
{
  return EnumToText(ModeNames, mode);
}

PolarTTAModeEnum PolarTTAModeFromString(const std::string & name)
{
  const auto mode = EnumFromText(ModeNames, name);
  if (!mode)
  {
    npsnetThrow("Unknown TTA mode \"" << name << "\": use " << EnumChoices(ModeNames) << '.');
  }
  return *mode;
}

std::vector<PolarHypothesis> PolarTTASettings::MakeHypotheses(unsigned int cropSize) const
{
  std::vector<float> offsets{ -8.0f, 0.0f, 8.0f };
  std::vector<float> scales{ 0.85f, 1.0f, 1.15f };
  switch (this->Mode)
  {
    case PolarTTAModeEnum::Off:
      return { PolarHypothesis{} };
    case PolarTTAModeEnum::Reference:
      offsets = { 0.0f, 8.0f, 16.0f };
      break;
    case PolarTTAModeEnum::Paper:
      offsets = { -16.0f, -8.0f, 0.0f, 8.0f, 16.0f };
      break;
    case PolarTTAModeEnum::Custom:
      offsets = this->Offsets;
      scales = this->Scales;
      if (offsets.empty() || scales.empty() || offsets.size() > 64 || scales.size() > 64)
      {
        npsnetThrow("A custom TTA grid needs 1 to 64 offsets and 1 to 64 scales.");
      }
      break;
    case PolarTTAModeEnum::Full:
    case PolarTTAModeEnum::Fast:
      offsets = { -3.0f, 0.0f, 3.0f };
      scales = { 0.98f, 1.0f, 1.02f };
      break;
    case PolarTTAModeEnum::Symmetric:
      break;
  }
  const float                  unit = static_cast<float>(cropSize) / 512.0f;
  std::vector<PolarHypothesis> hypotheses{ PolarHypothesis{} };
  for (const float dx : offsets)
  {
    for (const float dy : offsets)
    {
      for (const float scale : scales)
      {
        if (!std::isfinite(dx) || !(scale >= 0.1f && scale <= 10.0f))
        {
          npsnetThrow("TTA offsets must be finite and scales between 0.1 and 10, not " << dx << " and " << scale
                                                                                       << '.');
        }
        if (dx != 0.0f || dy != 0.0f || scale != 1.0f)
        {
          hypotheses.push_back(PolarHypothesis{ dx * unit, dy * unit, scale });
        }
      }
    }
  }
  if (this->Mode == PolarTTAModeEnum::Full || this->Mode == PolarTTAModeEnum::Fast)
  {
    std::stable_partition(hypotheses.begin() + 1, hypotheses.end(), [](const PolarHypothesis & hypothesis) {
      return hypothesis.Dx * hypothesis.Dy * (hypothesis.Scale - 1.0f) > 0.0f;
    });
  }
  return hypotheses;
}
} // namespace itk
