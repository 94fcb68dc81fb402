# Turns files into ctest entries.
#
# muster_add_tests(<folder>): every <folder>/**/test_*.c becomes one cmocka executable and one entry.
#   tests/unit/ecs/storage/test_table.c -> target test_unit_ecs_storage_table, entry unit/ecs/storage/table,
#   labels unit and unit/ecs. Other .c files beside a test (a reference model, shared scenes) are linked
#   with each test of their folder.
# muster_add_page(<file.md>): the C examples of a page become a test program (tests/docs/extract.awk),
#   entry docs/<name>.
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

function(muster_add_page page)
  cmake_path(GET page STEM name)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/docs/${name}.c)
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/docs/extract.awk)
  add_custom_command(OUTPUT ${source} DEPENDS ${page} ${script} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/docs
    COMMAND awk -v page=${page} -f ${script} ${page} > ${source})
  add_executable(test_docs_${name} ${source})
  target_link_libraries(test_docs_${name} PRIVATE muster_test_support)
  target_compile_options(test_docs_${name} PRIVATE # examples show more than they use
    -Wno-unused-variable -Wno-unused-but-set-variable -Wno-unused-value -Wno-unused-parameter)
  add_test(NAME docs/${name} COMMAND test_docs_${name})
  set_tests_properties(docs/${name} PROPERTIES LABELS docs)
  muster_limit(docs/${name} 120)
endfunction()

function(muster_add_tests folder)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/test_*.c)
  if(NOT TARGET muster_demo_support)
    list(FILTER files EXCLUDE REGEX "/unit/demos/")
  endif()
  if(NOT MUSTER_JSON)
    list(FILTER files EXCLUDE REGEX "/test_(json_|recording|replay)")
  endif()
  if(NOT MUSTER_REFLECT)
    list(FILTER files EXCLUDE REGEX "/test_(reflect|cursor|members)\\.c$")
  endif()
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
