# Filter libraries and command-line modules out of a stand-alone build tree (NPSNET_FILTERS_BUILD_DIR).
find_package(ITK REQUIRED COMPONENTS ITKCommon ITKIOImageBase ITKTransform)
include(${ITK_USE_FILE})
foreach(_pair IN ITEMS "ITKNPSNet Filters" "ITKNPSNetTorch Torch")
  separate_arguments(_pair)
  list(GET _pair 0 _library)
  list(GET _pair 1 _name)
  add_library(NPSNet_${_name} SHARED IMPORTED GLOBAL)
  set_target_properties(NPSNet_${_name} PROPERTIES
    IMPORTED_LOCATION ${NPSNET_FILTERS_BUILD_DIR}/lib/lib${_library}.so
    IMPORTED_NO_SONAME ON)
  target_include_directories(NPSNet_${_name} INTERFACE
    ${CMAKE_SOURCE_DIR}/ITKFilters/include ${NPSNET_FILTERS_BUILD_DIR}/ITKFilters ${ITK_INCLUDE_DIRS})
  target_link_libraries(NPSNet_${_name} INTERFACE ${ITK_LIBRARIES})
  add_library(NPSNet::${_name} ALIAS NPSNet_${_name})
endforeach()
target_link_libraries(NPSNet_Torch INTERFACE NPSNet_Filters)
file(MAKE_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
foreach(_module IN ITEMS NPSNetSegment NPSNetBatch NPSNetLocate NPSNetEvaluate NPSNetTrain)
  if(EXISTS ${NPSNET_FILTERS_BUILD_DIR}/bin/${_module})
    file(CREATE_LINK ${NPSNET_FILTERS_BUILD_DIR}/bin/${_module} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${_module} SYMBOLIC)
  endif()
endforeach()
