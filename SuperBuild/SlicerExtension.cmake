# Inside a full Slicer: cmake -S . -B build-slicer -DSlicer_DIR=<Slicer-build> [-DTorch_DIR=…], then build and ctest.
# Everything, with Slicer's own macros; ITK, VTK, CTK and Qt are Slicer's.
set(EXTENSION_CATEGORY "Segmentation")
set(EXTENSION_CONTRIBUTORS "NPSNetSegmentation contributors")
set(EXTENSION_DESCRIPTION
  "Optic disc and cup of fundus photographs as nested segments, with rim tables, plots, a Segment Editor effect and batches. Measurements for research use, not a diagnosis.")
set(EXTENSION_ICONURL "Resources/Icons/NPSNet.png")
set(EXTENSION_SCREENSHOTURLS
  "Documentation/Images/SlicerEffect.png Documentation/Images/SlicerPanel.png Documentation/Images/SlicerBatch.png")
set(EXTENSION_DEPENDS "NA")

find_package(Slicer REQUIRED)
include(${Slicer_USE_FILE})

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(NPSNET_RESOURCES_DIR "${CMAKE_SOURCE_DIR}/Resources")
set(NPSNET_BUILD_TESTING OFF) # the stand-alone build tests the filters; here Slicer's BUILD_TESTING counts
set(NPSNET_USE_CUDA "AUTO" CACHE STRING "CUDA kernels: AUTO (with nvcc), ON or OFF")
include(${CMAKE_CURRENT_LIST_DIR}/CompilerOptions.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Cuda.cmake)
option(NPSNET_USE_LIBTORCH "Build the LibTorch plug-in: GPUs and training (fetches 800 MB)" OFF)
if(NPSNET_USE_LIBTORCH)
  include(${CMAKE_CURRENT_LIST_DIR}/External_LibTorch.cmake)
endif()
if(BUILD_TESTING)
  include(${CMAKE_CURRENT_LIST_DIR}/GoogleTest.cmake)
endif()

# Plain libraries beside Slicer's modules, so that the module's folder is all its search path.
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${Slicer_QTLOADABLEMODULES_LIB_DIR}")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${Slicer_CLIMODULES_BIN_DIR}")
set(NPSNET_FILTERS_BUILD_DIR "" CACHE PATH
  "Stand-alone build tree with the same ITK and string ABI whose filter libraries and command-line modules are taken instead of compiling them again")
if(NPSNET_FILTERS_BUILD_DIR)
  include(${CMAKE_CURRENT_LIST_DIR}/ImportedFilters.cmake)
else()
  add_subdirectory(ITKFilters)
  add_subdirectory(NPSNetSegmentation/CLI)
endif()
add_subdirectory(Logic)
add_subdirectory(Widgets)
add_subdirectory(NPSNetSegmentation)

include(${CMAKE_CURRENT_LIST_DIR}/ExtensionLayout.cmake)

if(Slicer_EXTENSION_GENERATE_CONFIG)
  include(${Slicer_EXTENSION_GENERATE_CONFIG})
endif()
if(Slicer_EXTENSION_CPACK)
  include(${Slicer_EXTENSION_CPACK})
endif()
