/// The configuration in which the package was built.
package enum BuildConfiguration {
  /// Whether this is a debug build.
  package static var isDebug: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }
}
