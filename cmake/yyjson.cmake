# yyjson, for the program and the tests; its own warnings are not ours to judge.
if(NOT EXISTS ${SIGMILL_YYJSON_DIR}/yyjson.c)
  message(FATAL_ERROR "yyjson.c is not in ${SIGMILL_YYJSON_DIR}: run ./do setup, or set "
    "SIGMILL_YYJSON_DIR, or build the library alone with -DSIGMILL_CLI=OFF -DSIGMILL_TESTS=OFF")
endif()
add_library(yyjson STATIC ${SIGMILL_YYJSON_DIR}/yyjson.c)
target_include_directories(yyjson SYSTEM PUBLIC ${SIGMILL_YYJSON_DIR})
target_compile_options(yyjson PRIVATE -w -fno-sanitize=all)
