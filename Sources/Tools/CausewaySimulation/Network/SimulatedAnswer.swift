package import CausewayNetwork

/// The answer of a simulated server to a request.
package enum SimulatedAnswer: Sendable {
  /// A complete response.
  case response(NetworkResponse)
  /// An event stream, which the server sends until the sequence ends.
  ///
  /// The sequence is cancelled when the connection is lost. An error ends the connection.
  case events(any AsyncSequence<NetworkEvent, any Error> & Sendable)
}
