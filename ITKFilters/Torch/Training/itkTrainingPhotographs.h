// SPDX-License-Identifier: Apache-2.0
#ifndef itkTrainingPhotographs_h
#define itkTrainingPhotographs_h

#include "itkFundusTrainingData.h"
#include "itkTrainingConfiguration.h"

namespace itk
{
/** What a configuration selects of a data index. */
struct TrainingPhotographs
{
  LabelledPhotographStore  Training;
  LabelledPhotographStore  Validation;
  std::vector<std::size_t> Samples; ///< into Training, with repetitions
  std::string              Hash;    ///< of the rows of Training, wherever the index lies
};

/** Rows with nothing in the column \a image are left out. Throws when a column, one of the sets or all training
 * photographs are missing. */
TrainingPhotographs SelectTrainingPhotographs(const std::string &   index,
                                              const DataSelection & data,
                                              const std::string &   image,
                                              const std::string &   mask);
} // namespace itk

#endif
