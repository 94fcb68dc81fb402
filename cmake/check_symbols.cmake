# The shared library exports prefixed names only, and nothing marked as internal (ecs__, sched__, rt__).
#
# Run: cmake -DLIBRARY=<libmuster.so> -DNM=<nm> -P check_symbols.cmake
execute_process(COMMAND ${NM} -D --defined-only --format=posix ${LIBRARY}
  OUTPUT_VARIABLE text RESULT_VARIABLE status)
if(status)
  message(FATAL_ERROR "${NM} cannot read ${LIBRARY}")
endif()

# The linker's own marks; instrumented builds are not checked.
set(own "^(_init|_fini|_edata|_end|__bss_start|__start_.*|__stop_.*)$")
set(count 0)
set(strangers)
string(REPLACE "\n" ";" lines "${text}")
foreach(line ${lines})
  string(REGEX MATCH "^[^ ]+" symbol "${line}")
  if(NOT symbol OR symbol MATCHES "${own}")
    continue()
  endif()
  math(EXPR count "${count} + 1")
  if(NOT symbol MATCHES "^(ecs_|Ecs|ECS_|flecs_|FLECS_|sched_|Flecs[A-Za-z]+Import$)" OR symbol MATCHES "^(ecs|sched|rt)__")
    list(APPEND strangers ${symbol})
  endif()
endforeach()

if(strangers)
  list(JOIN strangers ", " strangers)
  message(FATAL_ERROR "Exported without a public prefix: ${strangers}")
endif()
if(count EQUAL 0)
  message(FATAL_ERROR "${LIBRARY} exports nothing: are declarations marked ECS_API and SCHED_API?")
endif()
message(STATUS "${count} exported symbols, all prefixed")
