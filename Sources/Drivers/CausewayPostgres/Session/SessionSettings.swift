import CausewayDatabase

/// The settings that a connection gets when it is opened.
struct SessionSettings: Sendable {
  /// How long the connection waits for an answer; `nil` for no limit.
  var patience: Duration?
  /// The parameters of the server.
  var parameters: [(name: String, value: String)]

  /// The statement that sets the parameters for one transaction.
  var ofTransaction: (text: String, values: [SQLValue]) {
    let calls = parameters.indices.map { "set_config($\($0 * 2 + 1), $\($0 * 2 + 2), true)" }
    return (
      "SELECT " + calls.joined(separator: ", "),
      parameters.flatMap { [.text($0.name), .text($0.value)] }
    )
  }
}
