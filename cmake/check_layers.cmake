# Includes point down. The rules, each with the sentence it prints:
#
#   modules   scheduler and ecs know only themselves; runtime knows the public headers of both
#   ranks     ecs/src: a folder includes its own rank and lower. world/state.h is plain data, so mutate
#             and command may see it, and sources (not headers) of name, query and event
#   storage   ecs/src ranks 0-2 see only the public headers listed below
#   query     query/<sub>: parse, check, plan, eval, cache, graph, iter, in this order
#   runtime   only tick/ and runtime.{c,h} see scheduler headers
#   threads   pthread.h only in scheduler/src and ecs/src/base/os_posix.c
#   ck        ConcurrencyKit only behind the wrappers listed below
#   demos     use <muster.h> and public headers only
#
# Run: cmake -DSOURCE_DIR=<repository> -P check_layers.cmake
cmake_policy(SET CMP0057 NEW) # if(IN_LIST)

set(ranks base id storage name query event mutate command world reflect serialize)
set(query_order parse check plan eval cache graph iter)
# Of world.h only the counters (ecs_world_info_t), of component.h only the type infos: that nothing in
# ranks 0-2 calls a world function, no include can show.
set(public_below_world config base id os log table ds builtin component world)
set(ck_wrappers
  scheduler/src/atomics.h scheduler/src/park.c ecs/src/base/atomics.h
  runtime/src/tick/background.c runtime/src/tick/inbox.c)

set(broken 0)
function(complain file include sentence)
  message("${file}: #include ${include}\n    ${sentence}")
  math(EXPR broken "${broken} + 1")
  set(broken ${broken} PARENT_SCOPE)
endfunction()

# points_up(<list> <from> <to> <result>): true when <to> stands after <from> in the list.
function(points_up order from to result)
  list(FIND ${order} "${from}" a)
  list(FIND ${order} "${to}" b)
  set(up FALSE)
  if(a GREATER_EQUAL 0 AND b GREATER a)
    set(up TRUE)
  endif()
  set(${result} ${up} PARENT_SCOPE)
endfunction()

macro(check_module)
  if(file MATCHES "^(scheduler|ecs)/" AND include MATCHES "^<muster/([^/]+)/")
    if(NOT CMAKE_MATCH_1 STREQUAL module)
      complain(${file} "${include}" "${module} stands alone: it may not know ${CMAKE_MATCH_1}.")
    endif()
  endif()
  if(file MATCHES "^(scheduler|ecs)/" AND include STREQUAL "<muster.h>")
    complain(${file} "${include}" "The umbrella is for users of the library.")
  endif()
  if(include MATCHES "^\"(.*)\"$")
    cmake_path(GET file PARENT_PATH folder)
    if(file MATCHES "/include/")
      complain(${file} "${include}" "Public headers include public headers, in angle brackets.")
    elseif(NOT EXISTS ${SOURCE_DIR}/${module}/src/${CMAKE_MATCH_1} AND
           NOT EXISTS ${SOURCE_DIR}/${folder}/${CMAKE_MATCH_1})
      complain(${file} "${include}" "Not a private header of ${module}.")
    endif()
  endif()
endmacro()

macro(check_rank)
  if(file MATCHES "^ecs/src/([^/]+)/")
    set(own ${CMAKE_MATCH_1})
    if(NOT own IN_LIST ranks)
      complain(${file} "${include}" "Folder ${own} has no rank: add it to check_layers.cmake.")
    endif()
    if(include MATCHES "^\"([^/\"]+)/")
      set(other ${CMAKE_MATCH_1})
      points_up(ranks ${own} ${other} up)
      if(include STREQUAL "\"world/state.h\"" AND (own MATCHES "^(mutate|command)$" OR
         file MATCHES "^ecs/src/(name|query|event)/.*\\.c$"))
        set(up FALSE) # plain data
      endif()
      if(up)
        complain(${file} "${include}" "${own} ranks below ${other}.")
      endif()
    endif()
    if(own MATCHES "^(base|id|storage)$" AND include MATCHES "^<muster/ecs/([a-z_]+)")
      if(NOT CMAKE_MATCH_1 IN_LIST public_below_world)
        complain(${file} "${include}" "${own} sees only the public headers: ${public_below_world}.")
      endif()
    endif()
  endif()
  if(file MATCHES "^ecs/src/query/([^/]+)/")
    set(own ${CMAKE_MATCH_1})
    if(NOT own IN_LIST query_order)
      complain(${file} "${include}" "Folder query/${own} has no rank: add it to check_layers.cmake.")
    endif()
    if(include MATCHES "^\"query/([^/]+)/")
      set(other ${CMAKE_MATCH_1})
      points_up(query_order ${own} ${other} up)
      if(up)
        complain(${file} "${include}" "query/${own} comes before query/${other}.")
      endif()
    endif()
  endif()
endmacro()

macro(check_dependencies)
  if(include STREQUAL "<pthread.h>" AND NOT file MATCHES "^scheduler/src/" AND
     NOT file STREQUAL "ecs/src/base/os_posix.c")
    complain(${file} "${include}" "Threads are made in scheduler/src and ecs/src/base/os_posix.c only.")
  endif()
  if(include MATCHES "^<ck_" AND NOT file IN_LIST ck_wrappers AND NOT file MATCHES "^scheduler/src/tsan/")
    complain(${file} "${include}" "ConcurrencyKit stays behind: ${ck_wrappers}.")
  endif()
  if(file MATCHES "^runtime/(src|include/muster/)" AND include MATCHES "^<muster/scheduler/" AND
     NOT file MATCHES "^runtime/src/(tick/|runtime\\.[ch]$)")
    complain(${file} "${include}" "Only runtime/src/tick and runtime.c see the scheduler.")
  endif()
endmacro()

set(files 0)
foreach(module scheduler ecs runtime)
  file(GLOB_RECURSE sources RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/${module}/src/*.[ch] ${SOURCE_DIR}/${module}/include/*.h)
  foreach(file ${sources})
    math(EXPR files "${files} + 1")
    file(STRINGS ${SOURCE_DIR}/${file} lines REGEX "^ *# *include ")
    foreach(line ${lines})
      string(REGEX MATCH "<[^>]+>|\"[^\"]+\"" include "${line}")
      check_module()
      check_rank()
      check_dependencies()
    endforeach()
  endforeach()
endforeach()

file(GLOB_RECURSE sources RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/demos/*.[ch])
foreach(file ${sources})
  file(STRINGS ${SOURCE_DIR}/${file} lines REGEX "^ *# *include \"")
  foreach(include ${lines})
    if(include MATCHES "(scheduler|ecs|runtime)/src/")
      complain(${file} "${include}" "Demos use public headers, as users do.")
    endif()
  endforeach()
endforeach()

# Neither names the other, not even in a comment.
foreach(pair "scheduler/ecs_[a-z]|Ecs[A-Z]|flecs_" "ecs/sched_[a-z]")
  string(REGEX MATCH "^[^/]+" module "${pair}")
  string(REGEX REPLACE "^[^/]+/" "" foreign "${pair}")
  file(GLOB_RECURSE sources RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/${module}/src/*.[ch] ${SOURCE_DIR}/${module}/include/*.h)
  foreach(file ${sources})
    file(STRINGS ${SOURCE_DIR}/${file} lines REGEX "(^|[^A-Za-z0-9_])(${foreign})")
    foreach(line ${lines})
      message("${file}: ${line}\n    ${module} has never heard of this name.")
      math(EXPR broken "${broken} + 1")
    endforeach()
  endforeach()
endforeach()

if(broken)
  message(FATAL_ERROR "${broken} broken rules")
endif()
message(STATUS "${files} files keep to their layers")
