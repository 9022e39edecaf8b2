import Synchronization

/// A source that is closed when its response is released, even if the stream was never read.
final class OwnedSource: StreamSource {
  let base: any StreamSource
  let heartbeat: Duration
  private let streams: OpenStreams
  private let onEnd: @Sendable () -> Void
  private let isClosed = Atomic(false)
  private let body = Mutex<StreamBody?>(nil)

  init(
    _ base: any StreamSource, heartbeat: Duration, in streams: OpenStreams,
    onEnd: @escaping @Sendable () -> Void
  ) {
    self.base = base
    self.heartbeat = heartbeat
    self.streams = streams
    self.onEnd = onEnd
  }

  deinit { close() }

  func opened(by body: StreamBody) {
    self.body.withLock { $0 = body }
    base.opened(by: body)
    streams.add(body)
  }

  func step() -> StreamStep { base.step() }

  func closed() { close() }

  private func close() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    if let body = body.withLock({ $0.take() }) { streams.remove(body) }
    base.closed()
    onEnd()
  }
}
