// SPDX-License-Identifier: Apache-2.0
#include "itkNestedPolarBoundary.h"

#include "detail/itkPolarGrid.h"

#include "itkMath.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace itk
{
namespace
{
using ProfileType = NestedPolarBoundary::ProfileType;

double Evaluate(const ProfileType & radii, double theta)
{
  const std::size_t n = radii.size();
  if (n == 0)
  {
    return 0.0;
  }
  std::size_t below = 0;
  std::size_t above = 0;
  double      weight = 0.0;
  NestedPolarBoundary::LocateAngle(theta, n, below, above, weight);
  return radii[below] + weight * (radii[above] - radii[below]);
}

bool IsEmpty(const ProfileType & radii)
{
  return std::all_of(radii.begin(), radii.end(), [](double r) { return r == 0.0; });
}

std::vector<NestedPolarBoundary::PointType> Contour(const NestedPolarBoundary & boundary, const ProfileType & radii)
{
  std::vector<NestedPolarBoundary::PointType> points(radii.size());
  const auto &                                axes = boundary.GetAxes();
  for (std::size_t i = 0; i < radii.size(); ++i)
  {
    const double theta = Math::twopi * static_cast<double>(i) / static_cast<double>(radii.size());
    const double u = boundary.GetRadius() * radii[i] * std::cos(theta);
    const double v = boundary.GetRadius() * radii[i] * std::sin(theta);
    for (unsigned int k = 0; k < 2; ++k)
    {
      points[i][k] = boundary.GetAnchor()[k] + axes(k, 0) * u + axes(k, 1) * v;
    }
  }
  return points;
}
} // namespace

NestedPolarBoundary::NestedPolarBoundary()
{
  m_Axes.SetIdentity();
}

void NestedPolarBoundary::SetAnchor(const PointType & anchor)
{
  if (!std::isfinite(anchor[0]) || !std::isfinite(anchor[1]))
  {
    itkExceptionMacro("The anchor of a polar boundary must be finite, not " << anchor << '.');
  }
  if (m_Anchor != anchor)
  {
    m_Anchor = anchor;
    this->Modified();
  }
}

void NestedPolarBoundary::SetRadius(double radius)
{
  if (!std::isfinite(radius) || radius <= 0.0)
  {
    itkExceptionMacro("The radius of a polar boundary must be finite and positive, not " << radius << '.');
  }
  if (m_Radius != radius)
  {
    m_Radius = radius;
    this->Modified();
  }
}

void NestedPolarBoundary::SetAxes(const AxesType & axes)
{
  for (unsigned int c = 0; c < 2; ++c)
  {
    const double length = std::hypot(axes(0, c), axes(1, c));
    if (!(std::abs(length - 1.0) < 1e-6))
    {
      itkExceptionMacro("The axes of a polar boundary must be unit vectors; column " << c << " has length " << length
                                                                                     << '.');
    }
  }
  if (std::abs(axes(0, 0) * axes(1, 1) - axes(0, 1) * axes(1, 0)) < 1e-6)
  {
    itkExceptionMacro("The axes of a polar boundary must not be parallel.");
  }
  m_Axes = axes;
  this->Modified();
}

void NestedPolarBoundary::SetRadii(ProfileType disc, ProfileType cup)
{
  if (disc.size() != cup.size() || disc.size() < 3)
  {
    itkExceptionMacro("A polar boundary needs the same number of disc and cup radii, at least three; got "
                      << disc.size() << " and " << cup.size() << '.');
  }
  for (std::size_t i = 0; i < disc.size(); ++i)
  {
    // Written so that NaN fails, too.
    if (!(0.0 <= cup[i] && cup[i] <= disc[i] && disc[i] <= 1.0))
    {
      itkExceptionMacro("Radii must satisfy 0 <= cup <= disc <= 1; at angle " << i << " the cup has " << cup[i]
                                                                              << " and the disc " << disc[i] << '.');
    }
  }
  if (m_DiscConfidences.size() != disc.size())
  {
    m_DiscConfidences.clear();
  }
  if (m_CupConfidences.size() != disc.size())
  {
    m_CupConfidences.clear();
  }
  m_DiscRadii = std::move(disc);
  m_CupRadii = std::move(cup);
  this->Modified();
}

void NestedPolarBoundary::SetConfidences(ProfileType disc, ProfileType cup)
{
  for (ProfileType * profile : { &disc, &cup })
  {
    if (!profile->empty() && profile->size() != m_DiscRadii.size())
    {
      itkExceptionMacro("A polar boundary with " << m_DiscRadii.size() << " angles cannot take " << profile->size()
                                                 << " confidences: set the radii first.");
    }
    for (double & value : *profile)
    {
      if (!(value >= -1e-5 && value <= 1.0 + 1e-5))
      {
        itkExceptionMacro("A confidence must lie in [0, 1], not " << value << '.');
      }
      value = std::clamp(value, 0.0, 1.0);
    }
  }
  m_DiscConfidences = std::move(disc);
  m_CupConfidences = std::move(cup);
  this->Modified();
}

bool NestedPolarBoundary::IsDiscEmpty() const
{
  return IsEmpty(m_DiscRadii);
}

bool NestedPolarBoundary::IsCupEmpty() const
{
  return IsEmpty(m_CupRadii);
}

double NestedPolarBoundary::EvaluateDiscRadius(double theta) const
{
  return Evaluate(m_DiscRadii, theta);
}

double NestedPolarBoundary::EvaluateCupRadius(double theta) const
{
  // Interpolating both with the same weight keeps the nesting up to rounding; the minimum keeps it exactly.
  return std::min(Evaluate(m_CupRadii, theta), Evaluate(m_DiscRadii, theta));
}

void NestedPolarBoundary::LocateAngle(double        theta,
                                      std::size_t   n,
                                      std::size_t & below,
                                      std::size_t & above,
                                      double &      weight)
{
  PolarCell<double> cell;
  cell.LocateAngle(theta / Math::twopi, static_cast<int>(n));
  below = static_cast<std::size_t>(cell.Angle0);
  above = static_cast<std::size_t>(cell.Angle1);
  weight = cell.AngleWeight;
}

std::vector<NestedPolarBoundary::PointType> NestedPolarBoundary::GetDiscContour() const
{
  return Contour(*this, m_DiscRadii);
}

std::vector<NestedPolarBoundary::PointType> NestedPolarBoundary::GetCupContour() const
{
  return Contour(*this, m_CupRadii);
}

void NestedPolarBoundary::TransformPhysicalPointToPolar(const PointType & point, double & rho, double & theta) const
{
  const double dx = (point[0] - m_Anchor[0]) / m_Radius;
  const double dy = (point[1] - m_Anchor[1]) / m_Radius;
  const double determinant = m_Axes(0, 0) * m_Axes(1, 1) - m_Axes(0, 1) * m_Axes(1, 0);
  const double u = (m_Axes(1, 1) * dx - m_Axes(0, 1) * dy) / determinant;
  const double v = (m_Axes(0, 0) * dy - m_Axes(1, 0) * dx) / determinant;
  rho = std::sqrt(u * u + v * v);
  theta = rho > 0.0 ? std::atan2(v, u) : 0.0;
  if (theta < 0.0)
  {
    theta += Math::twopi;
    theta = theta < Math::twopi ? theta : 0.0;
  }
}

std::string NestedPolarBoundary::ToJSON() const
{
  const nlohmann::ordered_json json{
    { "type", "NestedPolarBoundary" },
    { "version", 1 },
    { "anchor", { m_Anchor[0], m_Anchor[1] } },
    { "radius", m_Radius },
    { "axes", { { m_Axes(0, 0), m_Axes(0, 1) }, { m_Axes(1, 0), m_Axes(1, 1) } } },
    { "disc_radii", m_DiscRadii },
    { "cup_radii", m_CupRadii },
    { "disc_confidences", m_DiscConfidences },
    { "cup_confidences", m_CupConfidences },
  };
  return json.dump();
}

NestedPolarBoundary::Pointer NestedPolarBoundary::FromJSON(const std::string & text)
{
  try
  {
    const auto json = nlohmann::json::parse(text);
    if (json.at("type") != "NestedPolarBoundary" || json.at("version") != 1)
    {
      itkGenericExceptionMacro("This JSON text is not a polar boundary of version 1.");
    }
    auto      boundary = New();
    PointType anchor;
    AxesType  axes;
    for (unsigned int r = 0; r < 2; ++r)
    {
      anchor[r] = json.at("anchor").at(r).get<double>();
      for (unsigned int c = 0; c < 2; ++c)
      {
        axes(r, c) = json.at("axes").at(r).at(c).get<double>();
      }
    }
    boundary->SetAnchor(anchor);
    boundary->SetAxes(axes);
    boundary->SetRadius(json.at("radius").get<double>());
    auto disc = json.at("disc_radii").get<ProfileType>();
    auto cup = json.at("cup_radii").get<ProfileType>();
    if (!disc.empty() || !cup.empty())
    {
      boundary->SetRadii(std::move(disc), std::move(cup));
    }
    boundary->SetConfidences(json.at("disc_confidences").get<ProfileType>(),
                             json.at("cup_confidences").get<ProfileType>());
    return boundary;
  }
  catch (const nlohmann::json::exception & error)
  {
    itkGenericExceptionMacro("This JSON text is not a polar boundary: " << error.what());
  }
}

void NestedPolarBoundary::Graft(const DataObject * data)
{
  const auto * other = dynamic_cast<const Self *>(data);
  if (data != nullptr && other == nullptr)
  {
    itkExceptionMacro("Only another NestedPolarBoundary can be grafted, not " << data->GetNameOfClass() << '.');
  }
  if (other == nullptr || other == this)
  {
    return;
  }
  m_Anchor = other->m_Anchor;
  m_Radius = other->m_Radius;
  m_Axes = other->m_Axes;
  m_DiscRadii = other->m_DiscRadii;
  m_CupRadii = other->m_CupRadii;
  m_DiscConfidences = other->m_DiscConfidences;
  m_CupConfidences = other->m_CupConfidences;
  this->Modified();
}

void NestedPolarBoundary::Initialize()
{
  Superclass::Initialize();
  m_Anchor.Fill(0.0);
  m_Radius = 1.0;
  m_Axes.SetIdentity();
  m_DiscRadii.clear();
  m_CupRadii.clear();
  m_DiscConfidences.clear();
  m_CupConfidences.clear();
}

void NestedPolarBoundary::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Anchor: " << m_Anchor << std::endl;
  os << indent << "Radius: " << m_Radius << std::endl;
  os << indent << "Axes: " << std::endl << m_Axes;
  os << indent << "Number of angles: " << m_DiscRadii.size() << std::endl;
  os << indent << "Disc: " << (this->IsDiscEmpty() ? "empty" : "present") << std::endl;
  os << indent << "Cup: " << (this->IsCupEmpty() ? "empty" : "present") << std::endl;
  os << indent << "Disc confidences: " << m_DiscConfidences.size() << std::endl;
  os << indent << "Cup confidences: " << m_CupConfidences.size() << std::endl;
}
} // namespace itk
