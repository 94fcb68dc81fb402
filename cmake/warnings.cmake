# Warnings of every target in this project; not imposed on projects that embed it.
# Off: -Wsign-conversion, since indices are signed in the API and sizes are not;
# -Wmissing-field-initializers, since what a descriptor leaves out is zero and means the default.
add_compile_options(
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wvla -Wundef
  -Wno-missing-field-initializers
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
  $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
if(MUSTER_WERROR)
  add_compile_options(-Werror)
endif()
