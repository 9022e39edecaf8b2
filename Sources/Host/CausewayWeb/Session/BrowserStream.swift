import Synchronization

/// The sessions whose events a request asks for.
struct StreamedSessions: Sendable {
  /// The sessions, with the id of the last event that their pages have read.
  var present: [(session: PageSession, lastEventID: String?)] = []
  /// The tokens of sessions that have ended.
  var gone: [String] = []
}

/// Sends the view states of several pages of one browser over one connection.
///
/// Browsers open six HTTP/1.1 connections to a host, so a stream for each page would block the
/// seventh tab. A `session` event names the page of the events that follow it. A `gone` event names
/// a session that has ended, and a `closed` event a page whose stream has ended for another reason.
final class BrowserStream: StreamSource {
  private struct State {
    /// The index of the next source to read.
    ///
    /// It advances, so a busy page cannot block the others.
    var next = 0
    /// The index of the source that the last `session` event named.
    var announced: Int?
    var gone: [String]
    /// The indices of the sources that have ended.
    var ended: Set<Int> = []
  }

  private let sources: [(session: PageSession, stream: ViewStateStream)]
  private let state: Mutex<State>

  init(_ streamed: StreamedSessions) {
    sources = streamed.present.map { session, id in
      (session, session.attach(after: EventPosition(field: id)))
    }
    state = Mutex(State(gone: streamed.gone))
  }

  func opened(by body: StreamBody) {
    for source in sources { source.stream.opened(by: body) }
  }

  /// Complexity: O(n) in the number of pages.
  func step() -> StreamStep {
    let (step, ended) = nextStep()
    // Closing calls the session, so the lock is released first.
    ended?.closed()
    return step
  }

  /// The next step, and a stream that has ended and must be closed.
  private func nextStep() -> (StreamStep, ended: ViewStateStream?) {
    state.withLock { state in
      if let token = state.gone.popLast() {
        return (.bytes(ServerSentEvent(name: "gone", data: token).bytes), nil)
      }
      for offset in 0..<sources.count {
        let index = (state.next + offset) % sources.count
        if state.ended.contains(index) { continue }
        let (session, stream) = sources[index]
        switch stream.step() {
        case .wait: continue
        case .end:
          state.ended.insert(index)
          let name = session.isEnded ? "gone" : "closed"
          return (.bytes(ServerSentEvent(name: name, data: session.token).bytes), stream)
        case .bytes(let bytes):
          state.next = index + 1
          if state.announced == index { return (.bytes(bytes), nil) }
          state.announced = index
          let name = ServerSentEvent(name: "session", data: session.token)
          return (.bytes(name.bytes + bytes), nil)
        }
      }
      return (state.ended.count == sources.count ? .end : .wait, nil)
    }
  }

  func closed() {
    let ended = state.withLock(\.ended)
    for (index, source) in sources.enumerated() where !ended.contains(index) {
      source.stream.closed()
    }
  }
}
