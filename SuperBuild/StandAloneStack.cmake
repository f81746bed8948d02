# Imported targets for ITK, LibTorch and (for Logic/) VTK and MRML out of NPSNET_STACK.
#
# The wheels' libraries use the old libstdc++ string ABI; everything that links them must too.
# A library may be found again at run time by RPATH only: no LD_LIBRARY_PATH anywhere.

file(GLOB _site "${NPSNET_STACK}/venv/lib/python3*/site-packages")
if(NOT _site)
  message(FATAL_ERROR "No dependencies in ${NPSNET_STACK}: run ./npsnet setup first, or pass -DNPSNET_STACK=<folder it made>.")
endif()
set(NPSNET_SITE "${_site}" CACHE INTERNAL "site-packages of the stack")
set(Python3_EXECUTABLE "${NPSNET_STACK}/venv/bin/python" CACHE FILEPATH "Python of the stack" FORCE)
add_compile_definitions(_GLIBCXX_USE_CXX11_ABI=0)

set(_sdk "${NPSNET_SITE}/slicer_core_sdk/content")
set(NPSNET_SLICER_SDK "${_sdk}" CACHE INTERNAL "")

# --disable-new-dtags: Slicer's launcher sets LD_LIBRARY_PATH, our own RPATH must win over it.
set(CMAKE_SKIP_BUILD_RPATH OFF)
set(CMAKE_BUILD_RPATH
  "${NPSNET_SITE}/slicer_core" "${NPSNET_SITE}/slicer_core/third_party.libs" "${NPSNET_SITE}/vtkmodules"
  "${_sdk}/third_party/lib" "${NPSNET_SITE}/torch/lib"
  "${NPSNET_SITE}/nvidia/cuda_runtime/lib" "${NPSNET_SITE}/nvidia/cuda_cupti/lib")
set(_link "-Wl,--disable-new-dtags")
foreach(_dir IN ITEMS vtkmodules slicer_core_sdk/content/third_party/lib slicer_core_sdk/content/lib slicer_core
    slicer_core/third_party.libs nvidia/cuda_runtime/lib nvidia/cuda_cupti/lib)
  string(APPEND _link " -Wl,-rpath-link,${NPSNET_SITE}/${_dir}")
endforeach()
string(APPEND CMAKE_SHARED_LINKER_FLAGS " ${_link}")
string(APPEND CMAKE_MODULE_LINKER_FLAGS " ${_link}")
string(APPEND CMAKE_EXE_LINKER_FLAGS " ${_link}")

list(PREPEND CMAKE_PREFIX_PATH "${NPSNET_STACK}/vtk-sdk" "${_sdk}/third_party" "${_sdk}/third_party/vtkAddon") # TBB, vtkAddon
if(NPSNET_BUILD_LOGIC)
  find_package(Python3 REQUIRED COMPONENTS Interpreter Development Development.Module)
  file(GLOB VTK_DIR "${NPSNET_STACK}/vtk-sdk/lib/*/cmake/vtk-9.6")
  if(NOT VTK_DIR)
    message(FATAL_ERROR "Logic/ needs the VTK 9.6 headers and ${NPSNET_STACK}/vtk-sdk has none: run ./npsnet setup again, or configure with -DNPSNET_BUILD_LOGIC=OFF.")
  endif()
  find_package(VTK REQUIRED COMPONENTS CommonCore) # before ITK: ITKVtkGlue asks for it
  find_package(Slicer REQUIRED PATHS "${NPSNET_SITE}/slicer_core_sdk/cmake" NO_DEFAULT_PATH)
  unset(Slicer_DIR CACHE) # the SDK's own; a cached one would mean "inside a full Slicer" at the next configure
else()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(ITKVtkGlue_LOADED 1) # the one module of the SDK's ITK that asks for VTK, and that we do not use
endif()

set(ITK_DIR "${_sdk}/third_party/lib/cmake/ITK-5.4" CACHE PATH "" FORCE)

# Only for training, GPUs and tests. find_package(Torch) insists on every CUDA library; only these two are needed to
# compile and link.
option(NPSNET_USE_LIBTORCH "Build the LibTorch plug-in and training where the stack has LibTorch" ON)
if(NPSNET_USE_LIBTORCH AND EXISTS "${NPSNET_SITE}/torch/lib/libtorch_cpu.so")
  set(NPSNET_TORCH_LIBRARY_DIR "${NPSNET_SITE}/torch/lib")
  add_library(NPSNet_LibTorch INTERFACE)
  add_library(NPSNet::LibTorch ALIAS NPSNet_LibTorch)
  target_include_directories(NPSNet_LibTorch SYSTEM INTERFACE
    "${NPSNET_SITE}/torch/include" "${NPSNET_SITE}/torch/include/torch/csrc/api/include")
  target_link_libraries(NPSNet_LibTorch INTERFACE
    "${NPSNET_TORCH_LIBRARY_DIR}/libtorch_cpu.so" "${NPSNET_TORCH_LIBRARY_DIR}/libc10.so")
else()
  message(STATUS "LibTorch: OFF (the network runs on the processor; no training, no GPU)")
endif()


