// SPDX-License-Identifier: Apache-2.0
// SegmentPhotograph PHOTO FOLDER: optic disc and cup of one photograph, and all its files in the folder.
#include "itkFundusPhotographAnalyzer.h"
#include "itkFundusResultWriter.h"

#include <iostream>

int main(int argc, char * argv[])
try
{
  const auto analyzer = itk::FundusPhotographAnalyzer::New();
  const auto result = analyzer->Analyze(argc == 3 ? argv[1] : "");
  if (!result.HasSegmentation())
  {
    std::cerr << result.Message << '\n';
    return 1;
  }
  const auto writer = itk::FundusResultWriter::New();
  writer->SetOutputDirectory(argv[2]);
  writer->Write(result);
  std::cout << result.Name << ": vCDR " << result.Measurements.VerticalCupToDiscRatio.value_or(0.0) << '\n';
}
catch (const itk::ExceptionObject & error)
{
  std::cerr << error.GetDescription() << '\n';
  return 1;
}
