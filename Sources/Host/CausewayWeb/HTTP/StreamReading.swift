/// Reads the source of a stream in a task, without a connection of the HTTP library.
///
/// Releasing this object closes the source.
final class StreamReading: Sendable {
  enum Signal: Sendable {
    /// The source may have bytes.
    case wake
    /// Some time has passed.
    case heartbeat
  }

  private let source: any StreamSource
  private let heartbeats: Task<Void, Never>?

  /// Opens a source.
  ///
  /// - Parameter signals: Receives a signal when the reader should request the next step.
  init(_ source: any StreamSource, _ signals: AsyncStream<Signal>.Continuation) {
    self.source = source
    heartbeats = (source as? OwnedSource).map { source in
      let interval = source.heartbeat
      return Task {
        // Sleeping throws when the reading ends.
        while (try? await Task.sleep(for: interval)) != nil { signals.yield(.heartbeat) }
      }
    }
    source.opened(
      by: StreamBody(onWake: { signals.yield(.wake) }, onDisconnect: { signals.finish() }))
  }

  deinit {
    heartbeats?.cancel()
    source.closed()
  }

  func step() -> StreamStep { source.step() }
}
