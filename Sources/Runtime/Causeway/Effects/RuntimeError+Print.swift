import CausewaySystem

extension RuntimeError {
  private static let log = LineLog("Causeway")

  /// Writes the issue to the standard error stream, as one line of limited length.
  ///
  /// Many issues in a short time are counted and not written.
  static func print(_ error: RuntimeError) { log.write("\(error)") }
}
