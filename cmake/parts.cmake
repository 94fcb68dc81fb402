# MUSTER_REFLECT and MUSTER_JSON follow what the compiler's flags leave out (-DFLECS_CUSTOM_BUILD, -DFLECS_NO_JSON).
if(MUSTER_JSON AND NOT MUSTER_REFLECT)
  message(FATAL_ERROR "MUSTER_JSON needs MUSTER_REFLECT: switch both off, or none.")
endif()

include(CheckSymbolExists)

# muster_follow(<option> <definition>): switch an option off if the library's headers do not make the definition.
macro(muster_follow option definition)
  unset(MUSTER_HAS_${definition} CACHE) # the flags may have changed
  set(CMAKE_REQUIRED_INCLUDES ${PROJECT_SOURCE_DIR}/ecs/include)
  check_symbol_exists(${definition} muster/ecs/config.h MUSTER_HAS_${definition})
  unset(CMAKE_REQUIRED_INCLUDES)
  if(NOT MUSTER_HAS_${definition})
    set(${option} OFF)
  endif()
endmacro()

muster_follow(MUSTER_REFLECT FLECS_META)
muster_follow(MUSTER_JSON FLECS_JSON)
