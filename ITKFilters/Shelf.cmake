# npsnet_shelf(<shelf> <library> [MAY_USE <shelf>…] [HEADERS <of include/>…] SOURCES …)
# One shelf of ITKFilters/src or ITKFilters/Torch: its sources go into the library, its headers to users. Files include
# their own shelf's headers and those of the shelves after MAY_USE; the test Style.Shelves holds them to it.
function(npsnet_shelf shelf library)
  cmake_parse_arguments(ARG "" "" "MAY_USE;HEADERS;SOURCES" ${ARGN})
  if(library STREQUAL "ITKNPSNet")
    set(library ${NPSNET_FILTERS_TARGET})
  endif()
  list(TRANSFORM ARG_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  target_sources(${library} PRIVATE ${ARG_SOURCES})
  set_property(GLOBAL APPEND PROPERTY NPSNET_PUBLIC_HEADERS ${ARG_HEADERS})
  set_property(GLOBAL APPEND PROPERTY NPSNET_PRIVATE_INCLUDES_${library} ${CMAKE_CURRENT_SOURCE_DIR})
  target_include_directories(${library} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
endfunction()
