// SPDX-License-Identifier: Apache-2.0
#include "itkReportTree.h"

#include "itkDICOMObject.h"
#include "itkNPSNetThrow.h"
#include "itkText.h"

namespace itk
{
ReportTree::ReportTree(DSRDocumentTree & tree)
  : m_Tree(tree)
{}

DSRCodedEntryValue ReportTree::ToEntry(const DICOMCode & code)
{
  return { code.Value, code.Scheme, code.Meaning };
}

DSRContentItem & ReportTree::Open(DSRTypes::E_RelationshipType relationship,
                                  DSRTypes::E_ValueType        type,
                                  const DICOMCode *            concept)
{
  const auto mode = relationship == DSRTypes::RT_isRoot ? DSRTypes::AM_afterCurrent : DSRTypes::AM_belowCurrent;
  if (m_Tree.addContentItem(relationship, type, mode) == 0)
  {
    npsnetThrow("The DICOM library refuses an item of the report"
                << (concept ? std::string(": ") + concept->Meaning : std::string()) << ".");
  }
  DSRContentItem & item = m_Tree.getCurrentContentItem();
  if (concept != nullptr)
  {
    RequireGood(item.setConceptName(ToEntry(*concept)), concept->Meaning);
  }
  return item;
}

void ReportTree::OpenRoot(const DICOMCode & concept, const char * templateNumber)
{
  this->Open(DSRTypes::RT_isRoot, DSRTypes::VT_Container, &concept);
  RequireGood(m_Tree.getCurrentContentItem().setTemplateIdentification(templateNumber, "DCMR"), "a template");
}

void ReportTree::OpenContainer(const DICOMCode & concept, const char * templateNumber)
{
  this->Open(DSRTypes::RT_contains, DSRTypes::VT_Container, &concept);
  if (templateNumber != nullptr)
  {
    RequireGood(m_Tree.getCurrentContentItem().setTemplateIdentification(templateNumber, "DCMR"), "a template");
  }
}

void ReportTree::Close()
{
  m_Tree.goUp();
}

void ReportTree::OpenCode(DSRTypes::E_RelationshipType relationship, const DICOMCode & concept, const DICOMCode & value)
{
  RequireGood(this->Open(relationship, DSRTypes::VT_Code, &concept).setCodeValue(ToEntry(value)), concept.Meaning);
}

void ReportTree::AddCode(DSRTypes::E_RelationshipType relationship, const DICOMCode & concept, const DICOMCode & value)
{
  this->OpenCode(relationship, concept, value);
  this->Close();
}

void ReportTree::AddText(DSRTypes::E_RelationshipType relationship, const DICOMCode & concept, const std::string & text)
{
  RequireGood(this->Open(relationship, DSRTypes::VT_Text, &concept).setStringValue(text.c_str()), concept.Meaning);
  this->Close();
}

void ReportTree::AddPersonName(DSRTypes::E_RelationshipType relationship,
                               const DICOMCode &            concept,
                               const std::string &          name)
{
  RequireGood(this->Open(relationship, DSRTypes::VT_PName, &concept).setStringValue(name.c_str()), concept.Meaning);
  this->Close();
}

void ReportTree::AddUID(DSRTypes::E_RelationshipType relationship, const DICOMCode & concept, const std::string & uid)
{
  RequireGood(this->Open(relationship, DSRTypes::VT_UIDRef, &concept).setStringValue(uid.c_str()), concept.Meaning);
  this->Close();
}

void ReportTree::OpenNumber(const DICOMCode & concept, double value, const DICOMCode & unit)
{
  // As many digits as the metrics file has; they fit the sixteen characters of a decimal string.
  const DSRNumericMeasurementValue number(NumberText(value, 8).c_str(), ToEntry(unit));
  RequireGood(this->Open(DSRTypes::RT_contains, DSRTypes::VT_Num, &concept).setNumericValue(number), concept.Meaning);
}

void ReportTree::AddImage(DSRTypes::E_RelationshipType   relationship,
                          const DICOMCode &              concept,
                          const DSRImageReferenceValue & reference)
{
  RequireGood(this->Open(relationship, DSRTypes::VT_Image, &concept).setImageReference(reference), concept.Meaning);
  this->Close();
}
} // namespace itk
