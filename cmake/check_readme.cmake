# The example in README.md is demos/hello.c, which is built; and folders the README names exist.
#
# Run: cmake -DSOURCE_DIR=<repository> -P check_readme.cmake
file(READ ${SOURCE_DIR}/README.md readme)
file(READ ${SOURCE_DIR}/demos/hello.c hello)

# In the README the file stands without its header comment.
string(REGEX REPLACE "^(//[^\n]*\n)+" "" hello "${hello}")
string(FIND "${readme}" "```c\n${hello}```" at)
if(at LESS 0)
  message(FATAL_ERROR "The example in README.md is not demos/hello.c (without its header comment).")
endif()
message(STATUS "The README's example is demos/hello.c")
