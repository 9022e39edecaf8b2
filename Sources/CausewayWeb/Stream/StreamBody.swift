/// The reader of a stream, as the source of the stream sees it.
final class StreamBody: Sendable {
  private let onWake: @Sendable () -> Void

  /// - Parameter onWake: Requests the next step of the source. Called from any thread.
  init(onWake: @escaping @Sendable () -> Void) { self.onWake = onWake }

  /// Makes the reader request a step, because the source has more bytes or has ended.
  func wake() { onWake() }
}
