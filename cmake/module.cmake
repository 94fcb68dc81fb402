# muster_module(<name> [LINK <target>...]): object library muster_<name>_objects from <name>/src.
#
# Headers in include/ are visible to whoever links the module; those in src/ only to the module itself,
# by quoted includes.
function(muster_module name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/*.c)
  add_library(muster_${name}_objects OBJECT ${sources})
  target_include_directories(muster_${name}_objects PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include)
  # -iquote, not -I: a private "assert.h" must not stand in for <assert.h>.
  target_compile_options(muster_${name}_objects PRIVATE "SHELL:-iquote ${CMAKE_CURRENT_SOURCE_DIR}/src")
  target_link_libraries(muster_${name}_objects PUBLIC ${arg_LINK})
endfunction()
