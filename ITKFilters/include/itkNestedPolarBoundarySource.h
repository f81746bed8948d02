// SPDX-License-Identifier: Apache-2.0
#ifndef itkNestedPolarBoundarySource_h
#define itkNestedPolarBoundarySource_h

#include "NPSNetExport.h"
#include "itkNestedPolarBoundary.h"
#include "itkProcessObject.h"

namespace itk
{
/** \class NestedPolarBoundarySource
 * \brief Base of the filters whose primary output is a NestedPolarBoundary.
 * \ingroup NPSNet
 */
class NPSNet_EXPORT NestedPolarBoundarySource : public ProcessObject
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(NestedPolarBoundarySource);

  using Self = NestedPolarBoundarySource;
  using Superclass = ProcessObject;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkTypeMacro(NestedPolarBoundarySource, ProcessObject);

  NestedPolarBoundary *       GetOutput();
  const NestedPolarBoundary * GetOutput() const;

  using Superclass::MakeOutput;
  DataObjectPointer MakeOutput(DataObjectPointerArraySizeType index) override;

protected:
  NestedPolarBoundarySource();
  ~NestedPolarBoundarySource() override = default;
};
} // namespace itk

#endif
