/// How a finding counts.
enum Severity: String, CaseIterable, Codable, Sendable {
  case error, warning
  /// A finding that does not change the exit status.
  case note
}
