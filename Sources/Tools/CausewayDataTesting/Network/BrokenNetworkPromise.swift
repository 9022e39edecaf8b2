import CausewayNetwork
import Synchronization

/// The error of a promise that a network service breaks.
struct BrokenNetworkPromise: Error, CustomStringConvertible {
  let expected: String
  let found: String

  var description: String { "Expected \(expected), found \(found)." }
}

extension NetworkConformance {
  static func expect(_ condition: Bool, _ expected: String, _ found: some Any) throws {
    guard condition else { throw BrokenNetworkPromise(expected: expected, found: "\(found)") }
  }

  /// Runs a call that must fail with an error of the given kind, and returns the error.
  @discardableResult
  static func failure(
    _ kind: NetworkError.Kind, _ call: () async throws -> some Any
  ) async throws -> NetworkError {
    do {
      let value = try await call()
      throw BrokenNetworkPromise(expected: "an error of kind \(kind)", found: "\(value)")
    } catch let error as NetworkError {
      try expect(error.kind == kind, "an error of kind \(kind)", error)
      return error
    }
  }

  /// Stores the last reported progress.
  final class Seen: Sendable {
    private let progress = Mutex<NetworkProgress?>(nil)
    var last: NetworkProgress? { progress.withLock(\.self) }
    func note(_ new: NetworkProgress) { progress.withLock { $0 = new } }
  }
}
