import CausewaySystem
import CausewayWeb
import Foundation
import HarborBackend

/// How much Harbor writes to its log.
public enum LogLevel: String, Sendable, CaseIterable {
  /// Nothing.
  case off
  /// Failures of requests and of the database.
  case error
  /// Also the start, the stop, and refused sign-ins.
  case info
  /// Also each request.
  case debug
}

/// The log on standard error: one line for each event, with its date.
///
/// It gets no typed name and no path of a request, because they can be a passphrase or a code.
struct HarborLog: Sendable {
  /// The levels have limits of their own, so that refused sign-ins cannot hide failures.
  private let lines: [LogLevel: LineLog]

  init(_ level: LogLevel, to write: @escaping @Sendable (String) -> Void) {
    let written = LogLevel.allCases.prefix { $0 != level }.dropFirst() + [level]
    lines = Dictionary(
      uniqueKeysWithValues: written.filter { $0 != .off }.map { level in
        (level, LineLog("\(Date().formatted(.iso8601)) \(level.rawValue)", to: write))
      })
  }

  func error(_ error: any Error) { lines[.error]?.write("\(error)") }
  func info(_ text: String) { lines[.info]?.write(text) }

  func note(_ event: BackendEvent) {
    let level: LogLevel = if case .databaseLost = event { .error } else { .info }
    lines[level]?.write("\(event)")
  }

  /// Writes a request.
  ///
  /// An error with status 500 is reported with its cause.
  func note(_ request: AccessRecord) {
    lines[request.status.code > 500 ? .error : .debug]?.write(
      "\(request.method.rawValue) \(Self.place(of: request)): \(request.status.code) after "
        + "\(request.duration)")
  }

  /// What a request has asked for.
  ///
  /// A path can contain the code of an invitation; a route does not.
  static func place(of request: AccessRecord) -> String {
    request.path.hasPrefix("/_causeway/") ? request.path : request.route ?? "another path"
  }
}
