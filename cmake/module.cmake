# Not worth their bytes in release builds, and without effect on counted instructions: jumps to lines of their own, copies of
# functions that call themselves, of those that calls make slower by less than a third, and of longer ones unless they are declared inline.
include(CheckCCompilerFlag)
set(compact -falign-jumps=1 --param=ipa-cp-max-recursive-depth=1 --param=max-inline-insns-recursive-auto=1
    --param=inline-min-speedup=30 --param=max-inline-insns-auto=15)
check_c_compiler_flag("${compact}" MUSTER_COMPILES_COMPACTLY)
if(MUSTER_COMPILES_COMPACTLY)
  set(MUSTER_COMPACT "$<$<CONFIG:Release>:${compact}>")
endif()

# With wide vectors gcc scatters records, and joins members that are read one by one soon after, or the reverse: loads then wait until
# such stores are done. Modules go through records and lists, values are for their users to go through.
if(MUSTER_NATIVE)
  set(MUSTER_NARROW -fno-tree-vectorize)
endif()

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
  target_compile_options(muster_${name}_objects PRIVATE "${MUSTER_COMPACT}" ${MUSTER_NARROW})
  target_link_libraries(muster_${name}_objects PUBLIC ${arg_LINK})
endfunction()

# muster_leave_out(<name> <folder> <definition>): build a module without <name>/src/<folder>, and say so by a
# definition to the sources of all modules and to users (MUSTER_LEFT_OUT).
macro(muster_leave_out name folder definition)
  get_target_property(sources muster_${name}_objects SOURCES)
  list(FILTER sources EXCLUDE REGEX "/src/${folder}/")
  set_target_properties(muster_${name}_objects PROPERTIES SOURCES "${sources}")
  target_compile_definitions(muster_${name}_objects PUBLIC ${definition})
  list(APPEND MUSTER_LEFT_OUT ${definition})
  list(REMOVE_DUPLICATES MUSTER_LEFT_OUT)
  set(MUSTER_LEFT_OUT ${MUSTER_LEFT_OUT} PARENT_SCOPE)
endmacro()

# muster_small(<name> <path>...): optimise folders and files (without .c) of <name>/src for size in release builds: what
# runs once or seldom.
function(muster_small name)
  get_target_property(sources muster_${name}_objects SOURCES)
  foreach(path ${ARGN})
    set(small ${sources})
    list(FILTER small INCLUDE REGEX "/${name}/src/${path}(/|\\.c$)")
    if(NOT small)
      message(FATAL_ERROR "${name}/src/${path} is neither a folder nor a source.")
    endif()
    set_source_files_properties(${small} PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-Os>")
  endforeach()
endfunction()
