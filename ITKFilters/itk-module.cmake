# The module of ITK that this folder is (see CMakeLists.txt); by convention without "ITK" in its name.
include(${CMAKE_CURRENT_LIST_DIR}/ITKComponents.cmake)
itk_module(NPSNet
  DEPENDS
    ${NPSNET_ITK_COMPONENTS}
  TEST_DEPENDS
    ITKTestKernel
  EXCLUDE_FROM_DEFAULT
  ENABLE_SHARED
  DESCRIPTION
    "Nested, radially monotone polar segmentation of optic disc and cup in fundus photographs, and their measurements.")
