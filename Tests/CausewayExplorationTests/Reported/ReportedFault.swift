import Testing

/// A minimal model of a fault that people reported in a public package, and of its mended version.
struct ReportedFault: Sendable, CustomTestStringConvertible {
  let name: String
  /// A part of the reason of the failure.
  let reason: String
  /// The report on GitHub; `nil` for a fault that articles describe.
  let address: String?
  /// Returns the code of a trial.
  let body: @Sendable (_ isMended: Bool) -> @Sendable () async throws -> Void

  init(
    name: String, reason: String, address: String? = nil,
    body: @escaping @Sendable (_ isMended: Bool) -> @Sendable () async throws -> Void
  ) {
    self.name = name
    self.reason = reason
    self.address = address
    self.body = body
  }

  var testDescription: String { name }

  static let all: [ReportedFault] = waiting + sharing + stopping + handingOver + answering
}
