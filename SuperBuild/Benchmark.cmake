# Google Benchmark from Debian's sources (SuperBuild/stack.py), compiled here because it must have our string ABI.
set(BENCHMARK_ENABLE_TESTING OFF CACHE BOOL "" FORCE)
set(BENCHMARK_ENABLE_INSTALL OFF CACHE BOOL "" FORCE)
set(BENCHMARK_ENABLE_WERROR OFF CACHE BOOL "" FORCE)
add_subdirectory("${NPSNET_STACK}/benchmark" "${CMAKE_BINARY_DIR}/benchmark" EXCLUDE_FROM_ALL)
