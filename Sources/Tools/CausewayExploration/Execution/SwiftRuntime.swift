/// The runtime of Swift; this module uses more of it than its public functions.
enum SwiftRuntime {
  /// Whether the layouts and functions are known, which is true for Swift 6.3 on Linux.
  ///
  /// Other versions may have other layouts and functions.
  static let isKnown: Bool = {
    #if os(Linux) && (arch(x86_64) || arch(arm64)) && compiler(>=6.3) && compiler(<6.4)
      true
    #else
      false
    #endif
  }()
}
