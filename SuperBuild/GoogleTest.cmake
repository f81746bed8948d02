# GoogleTest from its sources, compiled here because it must have our string ABI.
set(NPSNET_GOOGLETEST_DIR "/usr/src/googletest" CACHE PATH "Sources of GoogleTest (Debian: googletest)")
if(NOT EXISTS "${NPSNET_GOOGLETEST_DIR}/CMakeLists.txt")
  if(Slicer_LAUNCH_COMMAND)
    message(STATUS "Tests of Logic: OFF (no GoogleTest in NPSNET_GOOGLETEST_DIR)")
    return()
  endif()
  message(FATAL_ERROR "GoogleTest's sources are missing: install the Debian package googletest.")
endif()
set(INSTALL_GTEST OFF CACHE BOOL "" FORCE)
set(BUILD_GMOCK OFF CACHE BOOL "" FORCE)
function(_npsnet_add_googletest)
  set(BUILD_SHARED_LIBS OFF) # Slicer's builds have it ON
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  add_subdirectory("${NPSNET_GOOGLETEST_DIR}" "${CMAKE_BINARY_DIR}/googletest" EXCLUDE_FROM_ALL)
endfunction()
_npsnet_add_googletest()
include(GoogleTest)
get_filename_component(NPSNET_ROOT_DIR "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/Testing/Temporary")

# npsnet_add_gtest(<name> SOURCES … LIBRARIES … [LABELS …]): one test executable, one ctest entry a TEST.
function(npsnet_add_gtest name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES;LABELS;DEFINITIONS" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS quick)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} gtest gtest_main NPSNet_Warnings)
  target_compile_definitions(${name} PRIVATE
    NPSNET_TEST_DATA_DIR="${NPSNET_ROOT_DIR}/Testing/Data"
    NPSNET_RESOURCES_DIR="${NPSNET_ROOT_DIR}/Resources"
    NPSNET_TEST_TEMP_DIR="${CMAKE_BINARY_DIR}/Testing/Temporary"
    ${ARG_DEFINITIONS})
  target_include_directories(${name} PRIVATE ${NPSNET_ROOT_DIR}/ITKFilters/test) # TestFolder.h
  set(_discovery POST_BUILD)
  if(Slicer_LAUNCH_COMMAND) # run by Slicer's launcher, out of a folder that Slicer does not search for modules
    set_target_properties(${name} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin CROSSCOMPILING_EMULATOR "${Slicer_LAUNCH_COMMAND}")
    set(_discovery PRE_TEST)
  endif()
  # ctest fills the cores, not OpenMP, whose threads would wait for each other spinning on cores that other tests hold
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 DISCOVERY_MODE ${_discovery} PROPERTIES
    LABELS "${ARG_LABELS}" ENVIRONMENT OMP_NUM_THREADS=1)
endfunction()
