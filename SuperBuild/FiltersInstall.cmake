# Libraries, headers and find_package(ITKNPSNet) of the filters as a project of their own.
set(_targets ITKNPSNet)
set_target_properties(ITKNPSNet PROPERTIES EXPORT_NAME Filters)
if(TARGET ITKNPSNetTorch)
  list(APPEND _targets ITKNPSNetTorch)
  set_target_properties(ITKNPSNetTorch PROPERTIES EXPORT_NAME Torch INSTALL_RPATH "$ORIGIN")
endif()
install(TARGETS ${_targets} EXPORT ITKNPSNetTargets LIBRARY DESTINATION lib)
file(GLOB _exports ${CMAKE_CURRENT_BINARY_DIR}/NPSNet*Export.h)
install(FILES ${_exports} DESTINATION include/ITKNPSNet)
get_property(_headers GLOBAL PROPERTY NPSNET_PUBLIC_HEADERS)
foreach(_header IN LISTS _headers)
  get_filename_component(_folder include/ITKNPSNet/${_header} DIRECTORY)
  install(FILES include/${_header} DESTINATION ${_folder})
endforeach()
install(EXPORT ITKNPSNetTargets NAMESPACE NPSNet:: DESTINATION lib/cmake/ITKNPSNet)

include(CMakePackageConfigHelpers)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/ITKNPSNetConfig.cmake @ONLY CONTENT [=[
include(CMakeFindDependencyMacro)
find_dependency(ITK 5.2 COMPONENTS @NPSNET_ITK_COMPONENTS@)
include("${CMAKE_CURRENT_LIST_DIR}/ITKNPSNetTargets.cmake")
]=])
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/ITKNPSNetConfigVersion.cmake
  VERSION ${ITKNPSNet_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ITKNPSNetConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/ITKNPSNetConfigVersion.cmake
  DESTINATION lib/cmake/ITKNPSNet)
