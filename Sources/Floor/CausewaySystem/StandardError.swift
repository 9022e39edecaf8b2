#if canImport(ucrt)
  private import ucrt
#endif

/// The standard error stream, which the standard library cannot write to.
///
/// Platforms without a C library that this module knows use the standard output.
package enum StandardError {
  /// Writes a text at once, without a buffer.
  package static func print(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      #if os(Windows)
        // Writes to the file descriptor: Swift 6 rejects `stderr`, because it is a global variable.
        _ = _write(2, bytes.baseAddress, UInt32(bytes.count))
      #elseif canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        _ = write(2, bytes.baseAddress, bytes.count)
      #elseif canImport(Bionic) || canImport(WASILibc)
        _ = write(2, bytes.baseAddress, bytes.count)
      #else
        Swift.print(String(decoding: bytes, as: UTF8.self), terminator: "")
      #endif
    }
  }
}
