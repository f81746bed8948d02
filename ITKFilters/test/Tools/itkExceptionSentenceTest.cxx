// SPDX-License-Identifier: Apache-2.0
#include "itkExceptionSentence.h"

#include "itkNestedPolarBoundary.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

TEST(itkExceptionSentence, IsTheMessageAlone)
{
  EXPECT_EQ(itk::ExceptionSentence(std::runtime_error("It is so.")), "It is so.");
  EXPECT_EQ(itk::ExceptionSentence(itk::ExceptionObject("file", 1, "a (b): c", "here")), "a (b): c");
  EXPECT_EQ(itk::ExceptionSentence(std::bad_alloc()), "There is not enough memory.");
  try
  {
    itk::NestedPolarBoundary::New()->SetRadius(-1.0);
    FAIL();
  }
  catch (const itk::ExceptionObject & error)
  {
    EXPECT_EQ(itk::ExceptionSentence(error), "The radius of a polar boundary must be finite and positive, not -1.");
  }
}
