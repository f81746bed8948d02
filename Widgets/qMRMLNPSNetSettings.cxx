// SPDX-License-Identifier: Apache-2.0
#include "qMRMLNPSNetSettings.h"

#include "vtkMRMLNPSNetParameterNode.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QSettings>

namespace
{
const char* const Group = "NPSNetSegmentation";

/// The context of the translations.
struct Text
{
  Q_DECLARE_TR_FUNCTIONS(qMRMLNPSNetSettings)
};

std::string text(const QSettings& settings, const char* key, const std::string& present)
{
  return settings.value(key, QString::fromStdString(present)).toString().toStdString();
}
} // namespace

void qMRMLNPSNetSettings::remember(vtkMRMLNPSNetParameterNode* parameters)
{
  QSettings settings;
  settings.beginGroup(Group);
  settings.setValue("TTAMode", QString::fromStdString(parameters->GetTTAMode()));
  settings.setValue("Device", QString::fromStdString(parameters->GetDevice()));
  settings.setValue("Precision", QString::fromStdString(parameters->GetPrecision()));
  settings.setValue("ModelFileName", QString::fromStdString(parameters->GetModelFileName()));
  settings.setValue("NumberOfThreads", parameters->GetNumberOfThreads());
  settings.setValue("Locate", parameters->GetLocate());
  settings.setValue("CreateCurves", parameters->GetCreateCurves());
  settings.setValue("InProcess", parameters->GetInProcess());
}

void qMRMLNPSNetSettings::recall(vtkMRMLNPSNetParameterNode* parameters)
{
  QSettings settings;
  settings.beginGroup(Group);
  const int modifying = parameters->StartModify();
  parameters->SetTTAMode(text(settings, "TTAMode", parameters->GetTTAMode()));
  parameters->SetDevice(text(settings, "Device", parameters->GetDevice()));
  parameters->SetPrecision(text(settings, "Precision", parameters->GetPrecision()));
  const std::string model = text(settings, "ModelFileName", parameters->GetModelFileName());
  if (model.empty() || QFileInfo::exists(QString::fromStdString(model)))
  {
    parameters->SetModelFileName(model); // weights that were moved since must not stop the first Apply
  }
  parameters->SetNumberOfThreads(settings.value("NumberOfThreads", parameters->GetNumberOfThreads()).toInt());
  parameters->SetLocate(settings.value("Locate", parameters->GetLocate()).toBool());
  parameters->SetCreateCurves(settings.value("CreateCurves", parameters->GetCreateCurves()).toBool());
  parameters->SetInProcess(settings.value("InProcess", parameters->GetInProcess()).toBool());
  parameters->EndModify(modifying);
}

QStringList qMRMLNPSNetSettings::batchArguments(vtkMRMLNPSNetParameterNode* parameters)
{
  QStringList arguments;
  const auto add = [&](const char* flag, const std::string& value, const char* standard)
  {
    if (value != standard)
    {
      arguments << flag << QString::fromStdString(value);
    }
  };
  add("--tta", parameters->GetTTAMode(), "default");
  add("--device", parameters->GetDevice(), "auto");
  add("--precision", parameters->GetPrecision(), "auto");
  add("--model", parameters->GetModelFileName(), "");
  if (parameters->GetMicrometersPerPixel() > 0.0)
  {
    arguments << "--um_per_pixel" << QString::number(parameters->GetMicrometersPerPixel(), 'g', 10);
  }
  if (!parameters->GetLocate())
  {
    arguments << "--no_locate";
  }
  return arguments;
}

QString qMRMLNPSNetSettings::describe(vtkMRMLNPSNetParameterNode* parameters)
{
  QStringList parts;
  if (parameters->GetTTAMode() != "default")
  {
    parts << Text::tr("augmentation %1").arg(QString::fromStdString(parameters->GetTTAMode()));
  }
  if (parameters->GetDevice() != "auto")
  {
    parts << Text::tr("device %1").arg(QString::fromStdString(parameters->GetDevice()));
  }
  if (parameters->GetPrecision() != "auto")
  {
    parts << Text::tr("precision %1").arg(QString::fromStdString(parameters->GetPrecision()));
  }
  if (!parameters->GetModelFileName().empty())
  {
    parts << Text::tr("weights %1").arg(QFileInfo(QString::fromStdString(parameters->GetModelFileName())).fileName());
  }
  if (parameters->GetMicrometersPerPixel() > 0.0)
  {
    parts << Text::tr("%1 \xc2\xb5m per pixel").arg(parameters->GetMicrometersPerPixel());
  }
  if (!parameters->GetLocate())
  {
    parts << Text::tr("photos are crops about the disc");
  }
  return parts.isEmpty() ? Text::tr("the defaults") : parts.join(", ");
}
