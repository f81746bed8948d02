# On the slicer-core SDK: the library, and VTK's Python wrapping of the public interface beside `slicer`.
include(GenerateExportHeader)
find_package(Threads REQUIRED)
set(_bin ${CMAKE_CURRENT_BINARY_DIR})

add_library(${KIT} SHARED ${${KIT}_SRCS})
generate_export_header(${KIT} EXPORT_MACRO_NAME ${${KIT}_EXPORT_DIRECTIVE} EXPORT_FILE_NAME ${KIT}Export.h)
target_include_directories(${KIT} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${_bin})
target_link_libraries(${KIT}
  PUBLIC Slicer::BaseLogic Slicer::MRMLCore
  PRIVATE Slicer::SegmentationsModuleMRML Slicer::SegmentationCore Slicer::MarkupsModuleMRML
    Slicer::SegmentationsModuleLogic Slicer::TerminologiesModuleLogic Slicer::MRMLCLI
    NPSNet::Filters NPSNet::Tools nlohmann_json::nlohmann_json NPSNet_Warnings Threads::Threads)

set(_includes -I ${CMAKE_CURRENT_SOURCE_DIR} -I ${_bin} -I ${NPSNET_SLICER_SDK}/include)
file(GLOB _vtk "${NPSNET_STACK}/vtk-sdk/include/vtk-*")
foreach(_dir IN LISTS _vtk)
  list(APPEND _includes -I ${_dir})
endforeach()
set(_headers ${${KIT}_WRAPPED})
list(TRANSFORM _headers PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
list(TRANSFORM _headers APPEND ".h")
list(TRANSFORM _headers APPEND ";${KIT}\n" OUTPUT_VARIABLE _lines)
string(REPLACE "\n;" "\n" _lines "${_lines}")
file(CONFIGURE OUTPUT ${_bin}/${KIT}-hierarchy.data CONTENT "${_lines}" @ONLY)
set(_known)
foreach(_module IN ITEMS MRMLCore MRMLLogic vtkSegmentationCore vtkSlicerBaseLogic vtkSlicerMarkupsModuleMRML
    vtkSlicerSegmentationsModuleMRML)
  list(APPEND _known ${NPSNET_SLICER_SDK}/hierarchy/${_module}-hierarchy.txt)
endforeach()
set(_hierarchy ${_bin}/${KIT}-hierarchy.txt)
add_custom_command(OUTPUT ${_hierarchy} DEPENDS ${_headers} VERBATIM
  COMMAND VTK::WrapHierarchy ${_includes} -o ${_hierarchy} ${_bin}/${KIT}-hierarchy.data ${_known})

set(_wrappers)
foreach(_class IN LISTS ${KIT}_WRAPPED)
  set(_wrapper ${_bin}/${_class}Python.cxx)
  add_custom_command(OUTPUT ${_wrapper} DEPENDS ${_class}.h ${_hierarchy} VERBATIM
    COMMAND VTK::WrapPython ${_includes} -o ${_wrapper} --types ${_hierarchy} ${CMAKE_CURRENT_SOURCE_DIR}/${_class}.h)
  list(APPEND _wrappers ${_wrapper})
endforeach()
string(REPLACE ";" "\n" _lines "${KIT}Python;${${KIT}_WRAPPED}")
file(CONFIGURE OUTPUT ${_bin}/${KIT}PythonInit.data CONTENT "${_lines}\n" @ONLY)
add_custom_command(OUTPUT ${_bin}/${KIT}PythonInit.cxx VERBATIM
  COMMAND VTK::WrapPythonInit ${_bin}/${KIT}PythonInit.data ${_bin}/${KIT}PythonInit.cxx)

add_library(${KIT}Python MODULE ${_wrappers} ${_bin}/${KIT}PythonInit.cxx)
set_target_properties(${KIT}Python PROPERTIES PREFIX "" SUFFIX ".so")
target_link_libraries(${KIT}Python PRIVATE ${KIT} Slicer::SegmentationsModuleMRML Slicer::MarkupsModuleMRML
  VTK::WrappingPythonCore Python3::Module)
