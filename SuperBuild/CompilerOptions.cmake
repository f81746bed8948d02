# Warnings and sanitizers for our own targets; third-party headers are SYSTEM.
add_library(NPSNet_Warnings INTERFACE)
target_compile_options(NPSNet_Warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual>)
if(NPSNET_WARNINGS_AS_ERRORS)
  target_compile_options(NPSNet_Warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(NPSNET_SANITIZE)
  target_compile_options(NPSNet_Warnings INTERFACE -fsanitize=${NPSNET_SANITIZE} -fno-omit-frame-pointer -g)
  target_link_options(NPSNet_Warnings INTERFACE -fsanitize=${NPSNET_SANITIZE})
endif()
