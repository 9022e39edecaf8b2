import Causeway
import CausewaySystem
import Foundation

/// How much a ``ServerLog`` writes.
public enum LogLevel: String, Sendable, CaseIterable {
  /// Nothing.
  case off
  /// Failures.
  case error
  /// Also events that the people who run the server should know, such as its start.
  case info
  /// Also each request.
  case debug
}

/// A log of a server: one line for each event, with its date and its level.
///
/// Errors and events can contain texts of strangers. A line has at most 2,000 bytes. Control
/// characters, line separators and invisible characters become escapes, so a text can neither forge
/// a line nor command a terminal. The log writes at most 100 lines of each level at once, and 5 a
/// second on average; the next line then says how many lines were left out. So refused requests
/// cannot hide failures. The line of a request has its route instead of its path, because a path
/// can contain a secret.
///
/// ```swift
/// let log = ServerLog("board", level: .info)
/// var configuration = WebServerConfiguration()
/// log.follow(&configuration)
/// log.info("The board has started.")
/// ```
public struct ServerLog: Sendable {
  static let standard = ServerLog("causeway")

  private let lines: [LogLevel: LineLog]
  private let showsValues: Bool

  /// Makes a log with its own limits.
  ///
  /// - Parameters:
  ///   - name: The name of the program in each line, or an empty text.
  ///   - level: How much it writes.
  ///   - write: Receives each line, which ends with a line feed, on any thread. The default prints
  ///     to standard error.
  public init(
    _ name: String = "", level: LogLevel = .error,
    to write: (@Sendable (String) -> Void)? = nil
  ) {
    self.init(name, level: level, showsValues: BuildConfiguration.isDebug, to: write)
  }

  package init(
    _ name: String = "", level: LogLevel, showsValues: Bool,
    to write: (@Sendable (String) -> Void)?
  ) {
    self.showsValues = showsValues
    let write = write ?? { StandardError.print($0) }
    let written = LogLevel.allCases.prefix { $0 != level }.dropFirst() + [level]
    let label = name.isEmpty ? "" : name + " "
    lines = Dictionary(
      uniqueKeysWithValues: written.filter { $0 != .off }.map { level in
        (level, LineLog("\(Date().formatted(.iso8601)) \(label)\(level.rawValue)", to: write))
      })
  }

  /// Makes a stranger's text safe for a terminal, with the escapes of the lines of a log.
  ///
  /// A character becomes an escape if it could forge a line, command the terminal or hide a text.
  ///
  /// Complexity: O(*n*) in the length of the text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - keepsLines: Whether line feeds stay.
  ///   - asJSON: Whether the text is a JSON document. Its escapes are then `\u001b` and not `\u{1B}`,
  ///     so the document keeps its meaning.
  public static func escaped(
    _ text: String, keepsLines: Bool = false, asJSON: Bool = false
  ) -> String {
    PrintableText.escaped(text, keepsLines: keepsLines, style: asJSON ? .json : .swift)
  }

  /// Writes an error.
  ///
  /// For a value that could not be encoded or decoded, the line contains the place and not the
  /// value. For an error without its own description, a release build writes only the type and the
  /// case, because the values in the error may be personal data.
  public func error(_ error: any Error) { write(text(of: error), .error) }

  private func text(of error: any Error) -> String {
    switch error {
    case let error as RequestError: "\(error.request): \(text(of: error.error))"
    case EncodingError.invalidValue(let value, let context):
      "A value of the type \(type(of: value)) at \"\(path(context.codingPath))\" cannot be encoded."
    case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
      DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "The value at \"\(path(context.codingPath))\" cannot be decoded."
    case _ where type(of: error) is any CustomStringConvertible.Type: "\(error)"
    case let error as any LocalizedError where error.errorDescription != nil:
      error.localizedDescription
    default: CaseNames.of(error: error, showsValues: showsValues)
    }
  }

  private func path(_ keys: [any CodingKey]) -> String {
    keys.map(\.stringValue).joined(separator: ".")
  }

  /// Writes an event that the people who run the server should know.
  public func info(_ text: String) { write(text, .info) }

  /// Writes a line of a level.
  public func write(_ text: @autoclosure () -> String, _ level: LogLevel) {
    lines[level]?.write(text())
  }

  /// Writes a request.
  ///
  /// An error with status 500 is reported with its cause.
  public func note(_ request: AccessRecord) {
    write(
      "\(request.place): \(request.status.code) after \(request.duration)",
      request.status.code > 500 ? .error : .debug)
  }

  /// Makes a server write its requests and its errors to the log.
  ///
  /// An error names the request during which it has happened. If you replace
  /// ``WebServerConfiguration/aroundRequest`` later, the new closure must call the closure that
  /// this function has set.
  ///
  /// Without `namesRequests`, errors do not name their requests, and an action of a page needs one
  /// task less.
  public func follow(
    _ configuration: inout WebServerConfiguration, namesRequests: Bool = true
  ) {
    configuration.logAccess = { note($0) }
    configuration.reportError = { problem in
      error(RequestError.current.map { RequestError(request: $0, error: problem) } ?? problem)
    }
    guard namesRequests else { return }
    configuration.aroundRequest = { request, respond in
      // A path can contain a secret.
      let name = "\(request.method.rawValue) \(request.route ?? "another path")"
      return await RequestError.$current.withValue(name) { await respond() }
    }
  }
}

extension AccessRecord {
  /// The method and the route of the request, for logs.
  ///
  /// A path can contain a secret, such as the code of an invitation; a route does not.
  public var place: String {
    "\(method.rawValue) \(path.hasPrefix("/_causeway/") ? path : route ?? "another path")"
  }
}

/// An error with the request during which it has happened.
private struct RequestError: Error, CustomStringConvertible {
  @TaskLocal fileprivate static var current: String?

  let request: String
  let error: any Error

  var description: String { "\(request): \(error)" }
}
