# Every public header compiles alone, in C99, C17 and C++17, without a warning, and so does what their macros become; the library compiles
# with other limits.
#
# Run: cmake -DSOURCE_DIR=… -DWORK_DIR=… -DC_COMPILER=… [-DCXX_COMPILER=…] -P check_headers.cmake
set(failed)
file(MAKE_DIRECTORY ${WORK_DIR})

# Further arguments: flags.
function(try_source what source compiler language standard)
  execute_process(
    COMMAND ${compiler} -x ${language} -std=${standard} -fsyntax-only -Wall -Wextra -Wpedantic -Wundef -Wshadow -Wconversion -Wsign-conversion -Werror
      -I${SOURCE_DIR}/scheduler/include -I${SOURCE_DIR}/ecs/include -I${SOURCE_DIR}/runtime/include ${ARGN} ${source}
    RESULT_VARIABLE status ERROR_VARIABLE text OUTPUT_VARIABLE text)
  if(status)
    message("${what} as ${standard}:\n${text}")
    set(failed ${failed} "${what} (${standard})" PARENT_SCOPE)
  endif()
endfunction()

# Flags for one of the languages.
macro(try_all what source c_flag cxx_flag)
  try_source(${what} ${source} ${C_COMPILER} c c99 ${c_flag})
  try_source(${what} ${source} ${C_COMPILER} c c17 ${c_flag})
  if(CXX_COMPILER)
    try_source(${what} ${source} ${CXX_COMPILER} c++ c++17 -Wold-style-cast ${cxx_flag})
  endif()
endmacro()

set(count 0)
foreach(module scheduler ecs runtime)
  file(GLOB_RECURSE headers RELATIVE ${SOURCE_DIR}/${module}/include ${SOURCE_DIR}/${module}/include/*.h)
  foreach(header ${headers})
    math(EXPR count "${count} + 1")
    string(MAKE_C_IDENTIFIER ${header} unit)
    file(WRITE ${WORK_DIR}/${unit}.c "#include <${header}>\n#include <${header}>\nint main(void) { return 0; }\n")
    try_all(<${header}> ${WORK_DIR}/${unit}.c -Wdeclaration-after-statement -Wzero-as-null-pointer-constant)
  endforeach()
endforeach()
try_all(macros ${SOURCE_DIR}/tests/package/vocabulary.c "" "")

# Limits may be overridden; this source depends on the layout of queries and iterators most.
foreach(limit ecs_ftime_t=double FLECS_TERM_COUNT_MAX=16 FLECS_TERM_COUNT_MAX=64 ECS_MAX_RECURSION=64 ECS_MAX_TOKEN_SIZE=64)
  try_source(${limit} ${SOURCE_DIR}/ecs/src/query/iter/begin.c ${C_COMPILER} c c11 -I${SOURCE_DIR}/ecs/src -D${limit})
endforeach()

try_source(ecs_ftime_t=double ${SOURCE_DIR}/runtime/src/observe/stats_module.c ${C_COMPILER} c c11 -I${SOURCE_DIR}/runtime/src
  -Decs_ftime_t=double)

# Those that cannot be are refused.
foreach(limit FLECS_HI_ID_RECORD_ID=128 FLECS_HI_COMPONENT_ID=16 FLECS_TERM_COUNT_MAX=65 FLECS_QUERY_VARIABLE_COUNT_MAX=65)
  execute_process(COMMAND ${C_COMPILER} -fsyntax-only -I${SOURCE_DIR}/ecs/include -D${limit} ${WORK_DIR}/muster_ecs_config_h.c
    RESULT_VARIABLE status ERROR_QUIET)
  if(NOT status)
    list(APPEND failed "${limit} (not refused)")
  endif()
endforeach()

# Parts may be left out, and named (WLD-03): documentation comes with reflection, and brings it.
file(WRITE ${WORK_DIR}/named.c "#include <muster.h>
#ifndef FLECS_DOC
#error FLECS_DOC
#endif
int main(void) { ecs_doc_set_brief(ecs_init(), EcsWorld, FLECS_VERSION); return 0; }
")
try_source("custom build without parts" ${WORK_DIR}/muster_ecs_config_h.c ${C_COMPILER} c c99
  -DFLECS_CUSTOM_BUILD -DFLECS_NO_META -DFLECS_NO_JSON -DFLECS_NO_QUERY_DSL)
foreach(part FLECS_DOC FLECS_META FLECS_JSON)
  try_source(${part} ${WORK_DIR}/named.c ${C_COMPILER} c c99 -D${part})
  try_source("${part} alone" ${WORK_DIR}/named.c ${C_COMPILER} c c99 -DFLECS_CUSTOM_BUILD -D${part})
endforeach()

if(failed)
  list(JOIN failed ", " failed)
  message(FATAL_ERROR "Headers that do not compile: ${failed}")
endif()
message(STATUS "${count} public headers compile alone")
