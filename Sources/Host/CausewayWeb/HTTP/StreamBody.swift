/// The part of a stream's reader that the source of the stream uses.
final class StreamBody: Sendable {
  private let onWake: @Sendable () -> Void
  private let onDisconnect: @Sendable () -> Void

  /// - Parameters:
  ///   - onWake: Requests the next step of the source. Called from any thread.
  ///   - onDisconnect: Ends the reading at once. Called from any thread.
  init(
    onWake: @escaping @Sendable () -> Void, onDisconnect: @escaping @Sendable () -> Void
  ) {
    self.onWake = onWake
    self.onDisconnect = onDisconnect
  }

  /// Makes the reader request a step, because the source has more bytes or has ended.
  func wake() { onWake() }

  /// Closes the connection, even if the client has not read what was sent.
  func disconnect() { onDisconnect() }
}
