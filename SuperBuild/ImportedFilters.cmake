# Filter libraries and command-line modules out of a stand-alone build tree (NPSNET_FILTERS_BUILD_DIR).
find_package(ITK REQUIRED COMPONENTS ITKCommon ITKIOImageBase ITKTransform)
include(${ITK_USE_FILE})
add_library(NPSNet_Filters INTERFACE)
target_include_directories(NPSNet_Filters INTERFACE
  ${CMAKE_SOURCE_DIR}/ITKFilters/include ${NPSNET_FILTERS_BUILD_DIR}/ITKFilters ${ITK_INCLUDE_DIRS})
target_link_libraries(NPSNet_Filters INTERFACE ${NPSNET_FILTERS_BUILD_DIR}/lib/libITKNPSNet.so ${ITK_LIBRARIES})
add_library(NPSNet::Filters ALIAS NPSNet_Filters)
add_library(NPSNet_Torch INTERFACE)
target_link_libraries(NPSNet_Torch INTERFACE ${NPSNET_FILTERS_BUILD_DIR}/lib/libITKNPSNetTorch.so NPSNet_Filters)
add_library(NPSNet::Torch ALIAS NPSNet_Torch)

file(MAKE_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
foreach(_module IN ITEMS NPSNetSegment NPSNetBatch NPSNetLocate NPSNetEvaluate NPSNetTrain)
  if(EXISTS ${NPSNET_FILTERS_BUILD_DIR}/bin/${_module})
    file(CREATE_LINK ${NPSNET_FILTERS_BUILD_DIR}/bin/${_module} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${_module} SYMBOLIC)
  endif()
endforeach()
