# The two programs that use muster::muster, for the project that includes this file.
foreach(language c cpp)
  add_executable(consumer_${language} ${CMAKE_CURRENT_LIST_DIR}/consumer.${language})
  target_link_libraries(consumer_${language} PRIVATE muster::muster)
endforeach()
set_target_properties(consumer_c PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF)
set_target_properties(consumer_cpp PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF)

enable_testing()
add_test(NAME consumer_c COMMAND consumer_c)
add_test(NAME consumer_cpp COMMAND consumer_cpp)
