// SPDX-License-Identifier: Apache-2.0
#ifndef TestFolder_h
#define TestFolder_h

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

/** A folder of the running test's own, made when it is missing: tests of one executable run at the same time. */
inline std::string TestFolder()
{
  const auto * test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string  name = test ? std::string(test->test_suite_name()) + "." + test->name() : "shared";
  std::replace(name.begin(), name.end(), '/', '_');
  const auto folder = std::filesystem::path(NPSNET_TEST_TEMP_DIR) / name;
  std::filesystem::create_directories(folder);
  return folder.string();
}

#endif
