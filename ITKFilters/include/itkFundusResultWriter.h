// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusResultWriter_h
#define itkFundusResultWriter_h

#include "NPSNetExport.h"
#include "detail/itkNameOfClass.h"
#include "itkFundusFile.h"
#include "itkFundusResult.h"
#include "itkObject.h"
#include "itkObjectFactory.h"

#include <set>
#include <string>
#include <vector>

namespace itk
{
/** \class FundusResultWriter
 * \brief Writes all files of one photograph.
 *
 * Their names are FundusResult::Name followed by FundusFileEnding(). A result without a segmentation has only the
 * metrics file, which says why; files of an outline that an earlier run wrote under that name do not stay. Every file
 * appears whole or not at all, and none when one of them cannot be written: that is an itk::ExceptionObject.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT FundusResultWriter : public Object
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(FundusResultWriter);

  using Self = FundusResultWriter;
  using Superclass = Object;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(FundusResultWriter);

  /** Made when it does not exist. Default: the current folder. */
  itkSetStringMacro(OutputDirectory);
  itkGetStringMacro(OutputDirectory);

  /** Default: AllFundusFiles(). */
  void SetFiles(const std::set<FundusFileEnum> & files);
  itkGetConstReferenceMacro(Files, std::set<FundusFileEnum>);

  /** Returns the paths of the files written. */
  std::vector<std::string> Write(const FundusResult & result) const;

  /** One file under a name of its own. The rim table has tabs instead of commas where the name ends in .tsv. */
  static void WriteFile(const FundusResult & result, FundusFileEnum file, const std::string & fileName);

  /** For a photograph without a result: what an earlier run wrote under this name goes. Only beside its metrics file,
   * which every run writes: other files of such a name are not ours. */
  static void RemoveEarlier(const std::string & directory, const std::string & name);

  /** The text of the metrics file, for those who keep it elsewhere. */
  static std::string ToMetricsJSON(const FundusResult & result);

protected:
  FundusResultWriter() = default;
  ~FundusResultWriter() override = default;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  std::string              m_OutputDirectory{ "." };
  std::set<FundusFileEnum> m_Files{ AllFundusFiles() };
};
} // namespace itk

#endif
