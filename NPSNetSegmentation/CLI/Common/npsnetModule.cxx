// SPDX-License-Identifier: Apache-2.0
#include "npsnetModule.h"

#include "npsnetExitCodes.h"
#include "npsnetInterrupt.h"
#include "npsnetMemory.h"
#include "npsnetMessages.h"

#include "itkOutputError.h"

namespace npsnet
{
int RunModule(const std::string& program, const std::function<int()>& work)
{
  KeepFreedMemory();
  SurviveFileSizeLimit();
  CatchInterrupts();
  try
  {
    return work();
  }
  catch (const std::exception& error)
  {
    PrintError(program, Printable(Sentence(error)));
    return dynamic_cast<const itk::OutputError*>(&error) ? ExitOutput : ExitUsage;
  }
}
} // namespace npsnet
