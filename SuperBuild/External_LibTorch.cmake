# LibTorch for the full Slicer build -> NPSNet::LibTorch.
#  Torch_DIR            share/cmake/Torch of a LibTorch, or of Python's torch package (torch.utils.cmake_prefix_path)
#  NPSNET_LIBTORCH_URL  archive of a LibTorch to fetch when Torch_DIR is not given
# It must have Slicer's string ABI: since Slicer 5 that is the new one ("cxx11 ABI").
set(NPSNET_LIBTORCH_URL "" CACHE STRING "Archive of a LibTorch, fetched when Torch_DIR is not given")
if(NPSNET_FILTERS_BUILD_DIR)
  return() # the filters are linked already
endif()
if(NOT Torch_DIR AND NPSNET_LIBTORCH_URL)
  include(FetchContent)
  FetchContent_Declare(LibTorch URL ${NPSNET_LIBTORCH_URL})
  FetchContent_GetProperties(LibTorch)
  if(NOT libtorch_POPULATED)
    FetchContent_Populate(LibTorch)
  endif()
  set(Torch_DIR ${libtorch_SOURCE_DIR}/share/cmake/Torch CACHE PATH "LibTorch" FORCE)
endif()
if(NOT Torch_DIR)
  message(FATAL_ERROR "LibTorch is missing: pass -DTorch_DIR=<libtorch>/share/cmake/Torch, or -DNPSNET_LIBTORCH_URL=<its archive>.")
endif()

# find_package(Torch) insists on every CUDA library of a CUDA build; headers and these two libraries are all we need.
get_filename_component(_torch "${Torch_DIR}/../../.." ABSOLUTE)
find_library(NPSNET_TORCH_CPU_LIBRARY torch_cpu PATHS ${_torch}/lib NO_DEFAULT_PATH)
find_library(NPSNET_C10_LIBRARY c10 PATHS ${_torch}/lib NO_DEFAULT_PATH)
if(NOT NPSNET_TORCH_CPU_LIBRARY OR NOT NPSNET_C10_LIBRARY)
  message(FATAL_ERROR "Torch_DIR=${Torch_DIR} leads to no LibTorch: ${_torch}/lib has no torch_cpu or c10.")
endif()
add_library(NPSNet_LibTorch INTERFACE)
add_library(NPSNet::LibTorch ALIAS NPSNet_LibTorch)
target_include_directories(NPSNet_LibTorch SYSTEM INTERFACE
  ${_torch}/include ${_torch}/include/torch/csrc/api/include)
target_link_libraries(NPSNet_LibTorch INTERFACE ${NPSNET_TORCH_CPU_LIBRARY} ${NPSNET_C10_LIBRARY})
