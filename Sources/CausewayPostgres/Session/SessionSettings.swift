/// What a connection gets when it is opened.
struct SessionSettings: Sendable {
  /// How long the connection waits for an answer; `nil` for no limit.
  var patience: Duration?
  /// The parameters of the server.
  var parameters: [(name: String, value: String)]
}
