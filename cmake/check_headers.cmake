# Every public header compiles alone, in C11, C17 and C++17, without a warning.
#
# Run: cmake -DSOURCE_DIR=… -DWORK_DIR=… -DC_COMPILER=… [-DCXX_COMPILER=…] -P check_headers.cmake
set(failed)
file(MAKE_DIRECTORY ${WORK_DIR})

function(try_header header compiler language standard)
  string(MAKE_C_IDENTIFIER ${header} unit)
  set(source ${WORK_DIR}/${unit}.c)
  file(WRITE ${source} "#include <${header}>\n#include <${header}>\nint main(void) { return 0; }\n")
  execute_process(
    COMMAND ${compiler} -x ${language} -std=${standard} -fsyntax-only -Wall -Wextra -Wpedantic -Wundef -Werror
      -I${SOURCE_DIR}/scheduler/include -I${SOURCE_DIR}/ecs/include -I${SOURCE_DIR}/runtime/include ${source}
    RESULT_VARIABLE status ERROR_VARIABLE text OUTPUT_VARIABLE text)
  if(status)
    message("<${header}> as ${standard}:\n${text}")
    set(failed ${failed} "${header} (${standard})" PARENT_SCOPE)
  endif()
endfunction()

set(count 0)
foreach(module scheduler ecs runtime)
  file(GLOB_RECURSE headers RELATIVE ${SOURCE_DIR}/${module}/include ${SOURCE_DIR}/${module}/include/*.h)
  foreach(header ${headers})
    math(EXPR count "${count} + 1")
    try_header(${header} ${C_COMPILER} c c11)
    try_header(${header} ${C_COMPILER} c c17)
    if(CXX_COMPILER)
      try_header(${header} ${CXX_COMPILER} c++ c++17)
    endif()
  endforeach()
endforeach()

if(failed)
  list(JOIN failed ", " failed)
  message(FATAL_ERROR "Headers that do not compile alone: ${failed}")
endif()
message(STATUS "${count} public headers compile alone")
