// The only platform-specific code of the runtime: the standard library cannot write to the standard
// error stream. Platforms without these modules use the standard output.
#if canImport(Darwin)
  private import Darwin
#elseif canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Android)
  private import Android
#elseif canImport(WASILibc)
  private import WASILibc
#elseif canImport(ucrt)
  private import ucrt
#endif

extension RuntimeError {
  /// Writes the issue to the standard error stream.
  static func print(_ error: RuntimeError) {
    writeToStandardError("Causeway: \(error)\n")
  }

  /// Writes a text to the standard error stream.
  static func writeToStandardError(_ text: String) {
    #if os(Windows)
      // Writes to the file descriptor: Swift 6 rejects `stderr`, because it is a global variable.
      _ = text.utf8.withContiguousStorageIfAvailable {
        _write(2, $0.baseAddress, UInt32($0.count))
      }
    #elseif canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
      _ = text.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
    #elseif canImport(WASILibc)
      _ = text.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
    #else
      Swift.print(text, terminator: "")
    #endif
  }
}
