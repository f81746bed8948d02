# Inside a full Slicer build. Only the classes of the public interface are wrapped.
foreach(_source IN LISTS ${KIT}_SRCS)
  get_filename_component(_name ${_source} NAME_WE)
  if(NOT _name IN_LIST ${KIT}_WRAPPED)
    set_source_files_properties(${_source} PROPERTIES WRAP_EXCLUDE 1 WRAP_EXCLUDE_PYTHON 1)
  endif()
endforeach()

SlicerMacroBuildModuleLogic(
  NAME ${KIT}
  EXPORT_DIRECTIVE ${${KIT}_EXPORT_DIRECTIVE}
  SRCS ${${KIT}_SRCS}
  INCLUDE_DIRECTORIES
    ${vtkSlicerSegmentationsModuleLogic_INCLUDE_DIRS} ${vtkSlicerSegmentationsModuleMRML_INCLUDE_DIRS}
    ${vtkSlicerTerminologiesModuleLogic_INCLUDE_DIRS} ${vtkSlicerMarkupsModuleMRML_INCLUDE_DIRS}
    ${vtkSlicerSubjectHierarchyModuleLogic_INCLUDE_DIRS}
  TARGET_LIBRARIES
    vtkSlicerSegmentationsModuleLogic vtkSlicerSegmentationsModuleMRML vtkSlicerTerminologiesModuleLogic vtkSlicerMarkupsModuleMRML
    MRMLCLI NPSNet::Filters NPSNet::Tools nlohmann_json::nlohmann_json)

if(BUILD_TESTING AND COMMAND npsnet_add_gtest)
  add_subdirectory(${CMAKE_SOURCE_DIR}/Testing/Cxx/Logic ${CMAKE_CURRENT_BINARY_DIR}/Testing)
endif()

if(COMMAND ctkMacroCompilePythonScript AND Slicer_USE_PYTHONQT)
  ctkMacroCompilePythonScript(TARGET_NAME NPSNetSampleData SCRIPTS NPSNetSampleData.py
    DESTINATION_DIR ${CMAKE_BINARY_DIR}/${Slicer_QTSCRIPTEDMODULES_LIB_DIR}
    INSTALL_DIR ${Slicer_INSTALL_QTSCRIPTEDMODULES_LIB_DIR} NO_INSTALL_SUBDIR)
endif()
