# Install rules: libraries, headers, CMake package `muster`, pkg-config file `muster`.
include(CMakePackageConfigHelpers)

set(libraries muster)
if(MUSTER_BOTH)
  list(APPEND libraries ${MUSTER_STATIC_TARGET} ${MUSTER_SHARED_TARGET})
  list(REMOVE_DUPLICATES libraries)
endif()
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/muster)

install(TARGETS ${libraries} EXPORT muster-targets)
foreach(module scheduler ecs runtime)
  install(DIRECTORY ${module}/include/ TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
endforeach()
install(EXPORT muster-targets NAMESPACE muster:: DESTINATION ${package_dir})

configure_package_config_file(cmake/package-config.cmake.in muster-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(muster-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/muster-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/muster-config-version.cmake
  cmake/FindConcurrencyKit.cmake
  DESTINATION ${package_dir})

# An archive does not carry its dependencies, so without a shared library they are always needed.
set(pc_private "-lck -pthread -lm")
if(NOT MUSTER_SHARED_TARGET)
  set(pc_public " ${pc_private}")
endif()
foreach(definition ${MUSTER_LEFT_OUT})
  string(APPEND pc_definitions " -D${definition}")
endforeach()
# Found from where the file is, as `cmake --install --prefix` may put it anywhere.
set(pc_prefix ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  cmake_path(RELATIVE_PATH pc_prefix BASE_DIRECTORY ${pc_prefix}/${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  string(PREPEND pc_prefix "\${pcfiledir}/")
endif()
configure_file(cmake/muster.pc.in muster.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/muster.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
