// SPDX-License-Identifier: Apache-2.0
#ifndef itkReportTree_h
#define itkReportTree_h

#include "itkDICOMCodes.h"

#include "dcmtk/config/osconfig.h"
#include "dcmtk/dcmsr/dsrdoc.h"

#include <optional>
#include <string>

namespace itk
{
/** \class ReportTree
 * \brief Short words for building the content of a DICOM report in DCMTK's tree: every item goes below the open one.
 * \ingroup NPSNet
 */
class ReportTree
{
public:
  explicit ReportTree(DSRDocumentTree & tree);

  /** Containers stay open until Close(). \a templateNumber is of the DICOM Content Mapping Resource. */
  void OpenRoot(const DICOMCode & concept, const char * templateNumber);
  void OpenContainer(const DICOMCode & concept, const char * templateNumber = nullptr);
  void Close();

  void AddCode(DSRTypes::E_RelationshipType relationship, const DICOMCode & concept, const DICOMCode & value);
  /** As AddCode(), but stays open for modifiers. */
  void OpenCode(DSRTypes::E_RelationshipType relationship, const DICOMCode & concept, const DICOMCode & value);
  void AddText(DSRTypes::E_RelationshipType relationship, const DICOMCode & concept, const std::string & text);
  void AddPersonName(DSRTypes::E_RelationshipType relationship, const DICOMCode & concept, const std::string & name);
  void AddUID(DSRTypes::E_RelationshipType relationship, const DICOMCode & concept, const std::string & uid);
  /** Stays open for modifiers. */
  void OpenNumber(const DICOMCode & concept, double value, const DICOMCode & unit);
  void AddImage(DSRTypes::E_RelationshipType   relationship,
                const DICOMCode &              concept,
                const DSRImageReferenceValue & reference);

  static DSRCodedEntryValue ToEntry(const DICOMCode & code);

private:
  DSRContentItem & Open(DSRTypes::E_RelationshipType relationship,
                        DSRTypes::E_ValueType        type,
                        const DICOMCode *            concept);

  DSRDocumentTree & m_Tree;
};
} // namespace itk

#endif
