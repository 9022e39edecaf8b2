import CausewaySystem

/// Prints errors to standard error, although their descriptions contain texts of strangers.
///
/// Each error becomes one line of at most 2,000 bytes. Control characters, line separators and
/// invisible characters become escapes, so a text can neither forge a line nor command a terminal.
/// Beyond 100 lines at once and 5 a second on average, errors are only counted; the next line names
/// their number.
///
/// ```swift
/// let log = ErrorLog("board")
/// let configuration = WebServer.Configuration(reportError: { log.report($0) })
/// ```
public struct ErrorLog: Sendable {
  static let standard = ErrorLog("causeway")

  private let log: LineLog

  /// Makes a log with its own limits.
  ///
  /// - Parameter name: The beginning of each line, such as the name of the program.
  public init(_ name: String) {
    log = LineLog(name)
  }

  /// Prints an error, from any isolation.
  public func report(_ error: any Error) { log.write("\(error)") }
}
