#if canImport(Darwin)
  private import Darwin
#elseif canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#endif

extension RuntimeError {
  /// Writes the issue to the standard error stream.
  static func print(_ error: RuntimeError) {
    // A descriptor and not `stderr`: the latter is a global variable, which Swift 6 rejects.
    let text = "Causeway: \(error)\n"
    _ = text.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
  }
}
