public import CausewayData

/// Sends feedback to the people who run the server.
public protocol FeedbackServiceProtocol: Sendable {
  /// Sends a text and returns when the server has stored it.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - key: The identity of the text. The server stores each key once.
  ///   - progress: Receives the sent part of the request, from 0 to 1, on any thread.
  func send(
    _ text: String, key: IdempotencyKey, progress: @escaping @Sendable (Double) -> Void
  ) async throws
}
