# LibTorch for the full Slicer build -> NPSNet::LibTorch. The first of these that is given:
#  Torch_DIR                     share/cmake/Torch of a LibTorch, or of Python's torch package (torch.utils.cmake_prefix_path)
#  NPSNET_LIBTORCH_URL           archive of a LibTorch to fetch
#  NPSNET_LIBTORCH_REQUIREMENTS  wheels that pip brings into the build tree (the default)
# It must have Slicer's string ABI: since Slicer 5 that is the new one ("cxx11 ABI").
set(NPSNET_LIBTORCH_URL "" CACHE STRING "Archive of a LibTorch, fetched when Torch_DIR is not given")
set(NPSNET_LIBTORCH_REQUIREMENTS "${CMAKE_CURRENT_LIST_DIR}/requirements-torch-slicer.txt" CACHE FILEPATH
  "Requirements file of the torch wheels that pip brings when neither Torch_DIR nor NPSNET_LIBTORCH_URL is given")
if(NPSNET_FILTERS_BUILD_DIR)
  return() # the filters are linked already
endif()
if(NOT Torch_DIR AND NPSNET_LIBTORCH_URL)
  include(FetchContent)
  FetchContent_Declare(LibTorch URL ${NPSNET_LIBTORCH_URL})
  FetchContent_MakeAvailable(LibTorch)
  set(Torch_DIR ${libtorch_SOURCE_DIR}/share/cmake/Torch CACHE PATH "LibTorch" FORCE)
elseif(NOT Torch_DIR)
  set(_wheels ${CMAKE_BINARY_DIR}/LibTorch)
  if(NOT EXISTS ${_wheels}/torch/share/cmake/Torch)
    if(PYTHON_EXECUTABLE AND NOT Python3_EXECUTABLE)
      set(Python3_EXECUTABLE ${PYTHON_EXECUTABLE}) # Slicer's own
    endif()
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    message(STATUS "LibTorch: pip brings ${NPSNET_LIBTORCH_REQUIREMENTS} into ${_wheels} (800 MB)")
    execute_process(COMMAND ${Python3_EXECUTABLE} -m pip install --quiet --disable-pip-version-check --no-deps --upgrade
      --target ${_wheels} -r ${NPSNET_LIBTORCH_REQUIREMENTS} RESULT_VARIABLE _failed ERROR_VARIABLE _why)
    if(_failed)
      message(FATAL_ERROR "LibTorch is missing and pip could not bring it: pass -DTorch_DIR=<libtorch>/share/cmake/Torch or -DNPSNET_LIBTORCH_URL=<its archive>.\n${_why}")
    endif()
  endif()
  set(Torch_DIR ${_wheels}/torch/share/cmake/Torch CACHE PATH "LibTorch" FORCE)
endif()

# find_package(Torch) insists on every CUDA library of a CUDA build; headers and these two libraries are all we need.
get_filename_component(_torch "${Torch_DIR}/../../.." ABSOLUTE)
set(NPSNET_TORCH_LIBRARY_DIR ${_torch}/lib)
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

# What torch_cpu needs itself lies beside it, in a wheel also in those of NVIDIA.
file(GLOB _companions ${_torch}/lib/libgomp* ${_torch}/lib/libiomp* ${_torch}/lib/libomp*
  ${_torch}/../nvidia/cuda_runtime/lib/libcudart.so* ${_torch}/../nvidia/cuda_cupti/lib/libcupti.so*)
foreach(_library IN LISTS _companions)
  get_filename_component(_folder ${_library} DIRECTORY)
  if(UNIX AND NOT APPLE)
    target_link_options(NPSNet_LibTorch INTERFACE "LINKER:-rpath-link,${_folder}")
  endif()
endforeach()
install(FILES ${NPSNET_TORCH_CPU_LIBRARY} ${NPSNET_C10_LIBRARY} ${_companions}
  DESTINATION ${Slicer_INSTALL_THIRDPARTY_LIB_DIR} COMPONENT RuntimeLibraries)
