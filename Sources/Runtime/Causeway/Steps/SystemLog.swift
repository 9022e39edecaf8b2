#if canImport(os)
  private import os
#else
  private import CausewaySystem
#endif

/// The log of the operating system.
enum SystemLog {
  /// Returns a closure that writes lines at the level *debug*.
  static func writer(
    category: String, subsystem: String, _ showsValues: Bool
  ) -> @MainActor (StepLine) -> Void {
    #if canImport(os)
      let logger = Logger(subsystem: subsystem, category: category)
      return { line in
        if showsValues {
          logger.debug("\(line.names, privacy: .public) \(line.values, privacy: .private)")
        } else {
          logger.debug("\(line.names, privacy: .public)")
        }
      }
    #else
      return { line in
        let text = "\(category), \(line.names)\(showsValues ? " \(line.values)" : "")"
        StandardError.print("\(PrintableText.escaped(text, limit: LineLog.longest))\n")
      }
    #endif
  }
}
