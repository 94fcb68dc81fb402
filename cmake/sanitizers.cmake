# Instrumented builds: at most one of MUSTER_ASAN and MUSTER_TSAN.
# Sets MUSTER_SLOWDOWN, by which tests multiply their time limit.
set(MUSTER_SLOWDOWN 1)

if(MUSTER_ASAN AND MUSTER_TSAN)
  message(FATAL_ERROR "MUSTER_ASAN and MUSTER_TSAN exclude each other: choose one.")
endif()

if(MUSTER_ASAN)
  set(MUSTER_SLOWDOWN 4)
  set(flags -fsanitize=address,undefined -fno-sanitize-recover=all)
elseif(MUSTER_TSAN)
  # The sanitizer cannot see into ConcurrencyKit's inline assembly, so a private ck_pr.h that maps
  # the operations in use to __atomic builtins comes first on the include path.
  set(MUSTER_SLOWDOWN 8)
  set(flags -fsanitize=thread)
  include_directories(BEFORE ${PROJECT_SOURCE_DIR}/scheduler/src/tsan)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-tsan) # says that it ignores fences; the protocols do not rely on them here
  endif()
elseif(MUSTER_COVERAGE)
  set(MUSTER_SLOWDOWN 2)
  set(flags --coverage -DMUSTER_COVERAGE)
endif()

if(MUSTER_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "MUSTER_FUZZ needs clang: libFuzzer is part of it (set CC=clang).")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(flags)
  add_compile_options(${flags} -fno-omit-frame-pointer -g)
  add_link_options(${flags})
endif()
