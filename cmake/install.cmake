# Installing, uninstalling, and being found by pkg-config and find_package.
include(CMakePackageConfigHelpers)

set_target_properties(sigmill_static PROPERTIES EXPORT_NAME static)
install(TARGETS sigmill sigmill_static EXPORT sigmill-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/sigmill.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(SIGMILL_CLI)
  install(TARGETS sigmill_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sigmill)
install(EXPORT sigmill-targets NAMESPACE sigmill:: DESTINATION ${package_dir})
configure_package_config_file(cmake/sigmill-config.cmake.in sigmill-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(sigmill-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sigmill-config.cmake
              ${PROJECT_BINARY_DIR}/sigmill-config-version.cmake
        DESTINATION ${package_dir})

# Folders are told from where sigmill.pc lies, so that an installed tree may be moved.
set(pc_prefix ${CMAKE_INSTALL_PREFIX})
set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} AND NOT IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
  string(REGEX REPLACE "[^/]+" ".." pc_up ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  set(pc_prefix "\${pcfiledir}/${pc_up}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
list(TRANSFORM SIGMILL_PRIVATE_LIBS PREPEND -l OUTPUT_VARIABLE pc_private_libs)
list(JOIN pc_private_libs " " pc_private_libs)
configure_file(cmake/sigmill.pc.in sigmill.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sigmill.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

add_custom_target(uninstall COMMAND ${CMAKE_COMMAND}
  -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
  -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake VERBATIM)
