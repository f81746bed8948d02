// SPDX-License-Identifier: Apache-2.0
#include "itkPolarTTASettings.h"

#include "itkEnumText.h"
#include "itkNPSNetThrow.h"

#include <algorithm>

namespace itk
{
namespace
{
constexpr EnumText<PolarTTAModeEnum> ModeNames[] = { { PolarTTAModeEnum::Off, "off" },
                                                     { PolarTTAModeEnum::Reference, "reference" },
                                                     { PolarTTAModeEnum::Symmetric, "symmetric" },
                                                     { PolarTTAModeEnum::Paper, "paper" },
                                                     { PolarTTAModeEnum::Full, "full" },
                                                     { PolarTTAModeEnum::Fast, "fast" } };
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
