# The library: all modules' objects in one archive or shared object.
#
# Targets: muster (alias muster::muster), of the kind BUILD_SHARED_LIBS chooses; with MUSTER_BOTH also
# the other kind, as muster_static or muster_shared. MUSTER_STATIC_TARGET and MUSTER_SHARED_TARGET
# name the targets of each kind, empty when not built.
set(MUSTER_STATIC_TARGET)
set(MUSTER_SHARED_TARGET)

include(CheckLinkerFlag)
check_linker_flag(C "-Wl,-Bsymbolic-functions,--gc-sections" MUSTER_LINKS_DIRECTLY)

# A bit instead of 24 bytes for each pointer in tables of constants, if the loader knows such bits (glibc 2.36).
if(NOT CMAKE_CROSSCOMPILING)
  include(CheckCSourceRuns)
  set(CMAKE_REQUIRED_LINK_OPTIONS -Wl,-z,pack-relative-relocs)
  check_c_source_runs("static int zero, *const volatile at = &zero; int main(void) { return *at; }" MUSTER_PACKS_POINTERS)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
endif()

function(muster_add_library target kind)
  add_library(${target} ${kind})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME muster VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    LINKER_LANGUAGE C)
  target_compile_features(${target} INTERFACE c_std_11)
  target_compile_definitions(${target} INTERFACE ${MUSTER_LEFT_OUT})
  foreach(module scheduler ecs runtime)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:muster_${module}_objects>)
    target_include_directories(${target} INTERFACE
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/${module}/include>)
  endforeach()
  target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE ConcurrencyKit::ck Threads::Threads m ${CMAKE_DL_LIBS})
  if(kind STREQUAL SHARED AND MUSTER_LINKS_DIRECTLY)
    # Calls within the library need no table that others could change.
    target_link_options(${target} PRIVATE -Wl,-Bsymbolic-functions -Wl,--gc-sections)
  endif()
  if(kind STREQUAL SHARED AND MUSTER_PACKS_POINTERS)
    target_link_options(${target} PRIVATE -Wl,-z,pack-relative-relocs)
  endif()
  set(MUSTER_${kind}_TARGET ${target} PARENT_SCOPE)
endfunction()

if(BUILD_SHARED_LIBS)
  muster_add_library(muster SHARED)
  if(MUSTER_BOTH)
    muster_add_library(muster_static STATIC)
  endif()
else()
  muster_add_library(muster STATIC)
  if(MUSTER_BOTH)
    muster_add_library(muster_shared SHARED)
  endif()
endif()
add_library(muster::muster ALIAS muster)
