import CausewayNetwork

/// The server's answer as it reaches the client.
enum SimulatedReply: Sendable {
  /// The client must read the body, whose first bytes have arrived.
  case response(NetworkResponse, SimulatedBody)
  case connection(SimulatedConnection)
}
