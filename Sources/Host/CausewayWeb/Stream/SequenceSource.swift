import Synchronization

/// A source whose events can be read without a connection.
protocol EventSource {
  func stream() -> AsyncThrowingStream<ServerSentEvent, any Error>
}

/// Sends the events of an asynchronous sequence at the pace of the client.
final class SequenceSource<Events: AsyncSequence & Sendable>: StreamSource, EventSource
where Events.Element == ServerSentEvent {
  private struct State {
    var bytes: [UInt8] = []
    var isFinished = false
    var isClosed = false
    var space: CheckedContinuation<Void, Never>?
    var task: Task<Void, Never>?
  }

  /// With this limit, one write can contain many small events, and a thousand slow clients need
  /// about 64 MB.
  private static var highWater: Int { 64 * 1024 }

  private let events: Events
  private let state = Mutex(State())

  init(_ events: Events) {
    self.events = events
  }

  func opened(by body: StreamBody) {
    let task = Task { [events] in
      // An error ends the stream in the same way as the last element. The browser reconnects in
      // both cases.
      do {
        for try await event in events { await put(event.bytes, body) }
      } catch {}
      state.withLock { $0.isFinished = true }
      body.wake()
    }
    let isClosed = state.withLock {
      $0.task = task
      return $0.isClosed
    }
    if isClosed { task.cancel() }
  }

  func step() -> StreamStep {
    let (step, space) = state.withLock { state -> (StreamStep, CheckedContinuation<Void, Never>?) in
      guard !state.bytes.isEmpty else { return (state.isFinished ? .end : .wait, nil) }
      let bytes = state.bytes
      state.bytes = []
      return (.bytes(bytes), state.space.take())
    }
    space?.resume()
    return step
  }

  func closed() {
    let (task, space) = state.withLock { state in
      state.isClosed = true
      state.bytes = []
      return (state.task, state.space.take())
    }
    task?.cancel()
    space?.resume()
  }

  /// The events for a reader without a connection.
  func stream() -> AsyncThrowingStream<ServerSentEvent, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task { [events] in
        do {
          for try await event in events { continuation.yield(event) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func put(_ bytes: [UInt8], _ body: StreamBody) async {
    state.withLock { if !$0.isClosed { $0.bytes.append(contentsOf: bytes) } }
    body.wake()
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isClosed || state.bytes.count < Self.highWater { return true }
        state.space = continuation
        return false
      }
      if isFree { continuation.resume() }
    }
  }
}
