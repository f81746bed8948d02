# Where an installed extension keeps libraries, command-line modules and resources; itk::ModelFiles finds the weights by
# it. The stand-alone build has the same rules (component NPSNetExtension), so that a test can run what is installed.
if(Slicer_INSTALL_QTLOADABLEMODULES_LIB_DIR)
  set(_component RuntimeLibraries)
else()
  set(_component NPSNetExtension)
  set(Slicer_INSTALL_QTLOADABLEMODULES_LIB_DIR lib/Slicer-5/qt-loadable-modules)
  set(Slicer_INSTALL_QTLOADABLEMODULES_SHARE_DIR share/Slicer-5/qt-loadable-modules)
  set(Slicer_INSTALL_CLIMODULES_BIN_DIR lib/Slicer-5/cli-modules)
  set(Slicer_INSTALL_THIRDPARTY_LIB_DIR lib/Slicer-5)
endif()

# Found without the launcher's environment: beside themselves, beside Slicer's modules, and where LibTorch goes.
foreach(_pair IN ITEMS "QTLOADABLEMODULES_LIB_DIR|QTLOADABLEMODULES_LIB_DIR" "QTLOADABLEMODULES_LIB_DIR|THIRDPARTY_LIB_DIR"
    "CLIMODULES_BIN_DIR|QTLOADABLEMODULES_LIB_DIR" "CLIMODULES_BIN_DIR|THIRDPARTY_LIB_DIR")
  string(REGEX REPLACE "(.*)\\|(.*)" "\\1;\\2" _pair "${_pair}")
  list(GET _pair 0 _from)
  list(GET _pair 1 _to)
  file(RELATIVE_PATH _way "/${Slicer_INSTALL_${_from}}" "/${Slicer_INSTALL_${_to}}")
  list(APPEND _rpath_${_from} "$ORIGIN/${_way}")
endforeach()
if(_component STREQUAL "NPSNetExtension")
  # Inside Slicer its own ITK is there. CMake leaves link folders inside the build tree out, and the stack usually lies there.
  list(APPEND _rpath_QTLOADABLEMODULES_LIB_DIR ${CMAKE_BUILD_RPATH})
  list(APPEND _rpath_CLIMODULES_BIN_DIR ${CMAKE_BUILD_RPATH})
endif()
foreach(_library IN ITEMS ITKNPSNet ITKNPSNetDICOM ITKNPSNetTorch NPSNetInProcess)
  if(TARGET ${_library})
    set_target_properties(${_library} PROPERTIES
      INSTALL_RPATH "${_rpath_QTLOADABLEMODULES_LIB_DIR}" INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS ${_library} LIBRARY DESTINATION ${Slicer_INSTALL_QTLOADABLEMODULES_LIB_DIR} COMPONENT ${_component})
  endif()
endforeach()
foreach(_module IN ITEMS NPSNetSegment NPSNetBatch NPSNetLocate NPSNetEvaluate NPSNetTrain)
  if(TARGET ${_module})
    set_target_properties(${_module} PROPERTIES
      INSTALL_RPATH "${_rpath_CLIMODULES_BIN_DIR}" INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS ${_module} RUNTIME DESTINATION ${Slicer_INSTALL_CLIMODULES_BIN_DIR} COMPONENT ${_component})
  endif()
endforeach()

set(_share ${Slicer_INSTALL_QTLOADABLEMODULES_SHARE_DIR}/NPSNetSegmentation)
if(_component STREQUAL "RuntimeLibraries")
  set(_component Runtime)
endif()
install(DIRECTORY ${NPSNET_RESOURCES_DIR}/Models DESTINATION ${_share} COMPONENT ${_component}
  FILES_MATCHING PATTERN "*.safetensors" PATTERN "README.md")
foreach(_folder IN ITEMS SampleData Terminologies)
  install(DIRECTORY ${NPSNET_RESOURCES_DIR}/${_folder} DESTINATION ${_share} COMPONENT ${_component})
endforeach()
