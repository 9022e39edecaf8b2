// Exports the platform's C library under one module name. Only this file lists the platforms. The
// list follows the order in which Swift's own packages test the modules.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Android)
  @_exported public import Android
#elseif canImport(Bionic)
  @_exported public import Bionic
#elseif canImport(WASILibc)
  @_exported public import WASILibc
#endif
