# Turns files into ctest entries.
#
# muster_add_tests(<folder>): every <folder>/**/test_*.c becomes one cmocka executable and one entry.
#   tests/unit/ecs/storage/test_table.c -> target test_unit_ecs_storage_table, entry unit/ecs/storage/table,
#   labels unit and unit/ecs. Other .c files beside a test (a reference model, shared scenes) are linked
#   with each test of their folder.
# muster_limit(<entry> <seconds>): time limit, stretched in instrumented builds.
function(muster_limit entry seconds)
  math(EXPR limit "${seconds} * ${MUSTER_SLOWDOWN}")
  set_tests_properties(${entry} PROPERTIES TIMEOUT ${limit})
endfunction()

function(muster_add_test file)
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(GET file STEM stem)
  string(REGEX REPLACE "^test_" "" stem ${stem})
  file(GLOB companions CONFIGURE_DEPENDS ${folder}/*.c)
  list(FILTER companions EXCLUDE REGEX "/test_[^/]*\\.c$")

  cmake_path(RELATIVE_PATH folder OUTPUT_VARIABLE where)
  set(entry ${where}/${stem})
  string(REPLACE "/" "_" target "test_${entry}")
  add_executable(${target} ${CMAKE_CURRENT_SOURCE_DIR}/${where}/test_${stem}.c ${companions})
  target_link_libraries(${target} PRIVATE muster_test_support)
  if(where MATCHES "^unit/demos")
    target_link_libraries(${target} PRIVATE muster_demo_support)
  endif()

  string(REGEX MATCH "^[^/]+" kind ${where})
  string(REGEX MATCH "^[^/]+/[^/]+" module ${where})
  add_test(NAME ${entry} COMMAND ${target})
  set_tests_properties(${entry} PROPERTIES LABELS "${kind};${module}")
  muster_limit(${entry} 120)
endfunction()

function(muster_add_tests folder)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/test_*.c)
  foreach(file ${files})
    muster_add_test(${file})
  endforeach()
endfunction()

# muster_add_check(<entry> <script> [-D<var>=<value>...]): a cmake script that fails when a rule is broken.
function(muster_add_check entry script)
  add_test(NAME ${entry} COMMAND ${CMAKE_COMMAND}
    -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/${entry} ${ARGN}
    -P ${PROJECT_SOURCE_DIR}/${script})
  set_tests_properties(${entry} PROPERTIES LABELS structure)
  muster_limit(${entry} 120)
endfunction()
