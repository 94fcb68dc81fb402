# Target docs: the API reference, written by Doxygen from the public headers.
#
# Not part of a build: cmake --build DIR --target docs writes DIR/docs/html/index.html.
find_package(Doxygen QUIET)
if(DOXYGEN_FOUND)
  set(DOXYGEN_PROJECT_NAME Muster)
  set(DOXYGEN_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/docs)
  set(DOXYGEN_OPTIMIZE_OUTPUT_FOR_C YES)
  set(DOXYGEN_EXTRACT_ALL YES) # the headers' own comments stand at their tops, not in @file blocks
  set(DOXYGEN_JAVADOC_AUTOBRIEF YES)
  set(DOXYGEN_MACRO_EXPANSION YES)
  set(DOXYGEN_EXPAND_ONLY_PREDEF YES)
  set(DOXYGEN_PREDEFINED ECS_API= SCHED_API= ECS_ALWAYS_INLINE=)
  set(DOXYGEN_FILE_PATTERNS *.h *.md)
  set(DOXYGEN_EXCLUDE_PATTERNS */src/*)
  set(DOXYGEN_USE_MDFILE_AS_MAINPAGE ${PROJECT_SOURCE_DIR}/README.md)
  set(DOXYGEN_STRIP_FROM_PATH ${PROJECT_SOURCE_DIR})
  set(DOXYGEN_QUIET YES)
  set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
  set(DOXYGEN_WARN_IF_INCOMPLETE_DOC NO) # what a sentence tells needs no list of parameters
  doxygen_add_docs(docs README.md ecs runtime scheduler demos/README.md demos/bench/README.md tests/README.md
                   WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endif()
