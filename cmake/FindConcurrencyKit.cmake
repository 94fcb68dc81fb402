# Finds ConcurrencyKit and defines the imported target ConcurrencyKit::ck.
#
# Hints: ConcurrencyKit_ROOT (a prefix with include/ck_pr.h and lib/libck.*), CMAKE_PREFIX_PATH, pkg-config "ck".
include(FindPackageHandleStandardArgs)

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_CK QUIET ck)
endif()
find_path(ConcurrencyKit_INCLUDE_DIR ck_pr.h HINTS ${PC_CK_INCLUDE_DIRS})
find_library(ConcurrencyKit_LIBRARY ck HINTS ${PC_CK_LIBRARY_DIRS})

find_package_handle_standard_args(ConcurrencyKit
  REQUIRED_VARS ConcurrencyKit_LIBRARY ConcurrencyKit_INCLUDE_DIR
  VERSION_VAR PC_CK_VERSION
  REASON_FAILURE_MESSAGE "ConcurrencyKit is missing. Debian, Ubuntu: apt-get install libck-dev. \
Fedora: dnf install ck-devel. macOS: brew install concurrencykit. \
Elsewhere: https://github.com/concurrencykit/ck, then pass -DConcurrencyKit_ROOT=<prefix>.")

if(ConcurrencyKit_FOUND AND NOT TARGET ConcurrencyKit::ck)
  add_library(ConcurrencyKit::ck UNKNOWN IMPORTED)
  set_target_properties(ConcurrencyKit::ck PROPERTIES
    IMPORTED_LOCATION "${ConcurrencyKit_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${ConcurrencyKit_INCLUDE_DIR}")
endif()
mark_as_advanced(ConcurrencyKit_INCLUDE_DIR ConcurrencyKit_LIBRARY)
