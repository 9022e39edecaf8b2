import Synchronization

/// A source that is closed when its response is released, even if the stream was never read.
final class OwnedSource: StreamSource {
  let base: any StreamSource
  let heartbeat: Duration
  private let onEnd: @Sendable () -> Void
  private let isClosed = Atomic(false)

  init(_ base: any StreamSource, heartbeat: Duration, onEnd: @escaping @Sendable () -> Void) {
    self.base = base
    self.heartbeat = heartbeat
    self.onEnd = onEnd
  }

  deinit { close() }

  func opened(by body: StreamBody) { base.opened(by: body) }

  func step() -> StreamStep { base.step() }

  func closed() { close() }

  private func close() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    base.closed()
    onEnd()
  }
}
