// SPDX-License-Identifier: Apache-2.0
#ifndef itkNestedPolarBoundary_h
#define itkNestedPolarBoundary_h

#include "NPSNetExport.h"
#include "detail/itkNameOfClass.h"
#include "itkDataObject.h"
#include "itkMatrix.h"
#include "itkObjectFactory.h"
#include "itkPoint.h"

#include <string>
#include <vector>

namespace itk
{
/** \class NestedPolarBoundary
 * \brief Optic disc and cup as two nested star-convex boundaries about one anchor.
 *
 * This is the one object from which label maps, contours, tables and metrics are made.
 * A boundary point is
 *
 *   x(theta) = Anchor + Radius * r(theta) * (cos(theta) * Axes[:,0] + sin(theta) * Axes[:,1])
 *
 * in the physical space of the photograph; Axes are unit vectors along the image's own +i (right)
 * and +j (down) axes, so that theta grows from image right downwards whatever the image direction is.
 * theta_i = 2 pi i / N, radii are normalised to [0, 1], between two angles the radius is interpolated
 * linearly and circularly. r = 0 everywhere is an empty structure.
 *
 * Invariant, enforced by SetRadii(): all values finite, 0 <= cup(theta) <= disc(theta) <= 1.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT NestedPolarBoundary : public DataObject
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(NestedPolarBoundary);

  using Self = NestedPolarBoundary;
  using Superclass = DataObject;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using PointType = Point<double, 2>;
  using AxesType = Matrix<double, 2, 2>;
  using ProfileType = std::vector<double>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(NestedPolarBoundary);

  /** Centre of the rays, physical; must be finite. */
  void SetAnchor(const PointType & anchor);
  itkGetConstReferenceMacro(Anchor, PointType);

  /** Physical length of the normalised radius 1; must be finite and positive. */
  void SetRadius(double radius);
  itkGetConstMacro(Radius, double);

  /** Unit vectors of theta = 0 (image right) and theta = 90 degrees (image down) as columns; must be
   * independent. */
  void SetAxes(const AxesType & axes);
  itkGetConstReferenceMacro(Axes, AxesType);

  /** Normalised radii, one per angle. Throws itk::ExceptionObject when sizes differ, fewer than three angles
   * are given or a value is not finite, below 0 or above 1; cup radii above the disc's are an error too.
   * Confidences of another number of angles are forgotten. */
  void                SetRadii(ProfileType disc, ProfileType cup);
  const ProfileType & GetDiscRadii() const { return m_DiscRadii; }
  const ProfileType & GetCupRadii() const { return m_CupRadii; }

  /** Confidences Gamma_d, Gamma_c per angle in [0, 1] (rounding beyond by 1e-5 is clamped); each either empty
   * when unknown or as long as the radii. */
  void                SetConfidences(ProfileType disc, ProfileType cup);
  const ProfileType & GetDiscConfidences() const { return m_DiscConfidences; }
  const ProfileType & GetCupConfidences() const { return m_CupConfidences; }

  std::size_t GetNumberOfAngles() const { return m_DiscRadii.size(); }
  bool        IsDiscEmpty() const;
  bool        IsCupEmpty() const;

  /** Normalised radius at any angle (radians), interpolated circularly. */
  double EvaluateDiscRadius(double theta) const;
  double EvaluateCupRadius(double theta) const;

  /** The two of n equidistant angles between which theta lies, and the weight of the second one. */
  static void LocateAngle(double theta, std::size_t n, std::size_t & below, std::size_t & above, double & weight);

  /** Physical boundary points, one per angle; the anchor itself where r = 0. */
  std::vector<PointType> GetDiscContour() const;
  std::vector<PointType> GetCupContour() const;

  /** Polar coordinates of a physical point: rho in units of Radius, theta in [0, 2 pi); theta = 0 at the anchor. */
  void TransformPhysicalPointToPolar(const PointType & point, double & rho, double & theta) const;

  /** JSON with every digit needed to read the same object back. */
  std::string    ToJSON() const;
  static Pointer FromJSON(const std::string & json);

  void Graft(const DataObject * data) override;
  void Initialize() override;

protected:
  NestedPolarBoundary();
  ~NestedPolarBoundary() override = default;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  PointType   m_Anchor{};
  double      m_Radius{ 1.0 };
  AxesType    m_Axes{};
  ProfileType m_DiscRadii;
  ProfileType m_CupRadii;
  ProfileType m_DiscConfidences;
  ProfileType m_CupConfidences;
};
} // namespace itk

#endif
