import Synchronization

/// The connections of the event streams of sessions.
///
/// A page opens a new stream when it has lost its last one, so the new stream replaces the last
/// one. But a connection closes only when its client has read what was sent, or is silent for long.
/// A client that reads nothing could collect connections. The table therefore closes the oldest
/// connections of a session. The sessions of a browser are limited, so its connections are limited
/// too.
final class StreamTable: Sendable {
  /// The largest number of connections of a session: the current one, and the one that it replaces.
  static let perSession = 2

  /// The connections of each session, oldest first.
  private let connections = Mutex<[String: [StreamBody]]>([:])

  /// A source that the table counts for sessions while its connection is open.
  func counted(_ source: any StreamSource, for sessions: [String]) -> any StreamSource {
    CountedStream(source, sessions, in: self)
  }

  /// The number of open connections of a session.
  func count(of session: String) -> Int { connections.withLock { $0[session]?.count ?? 0 } }

  fileprivate func add(_ body: StreamBody, for sessions: [String]) {
    let surplus = connections.withLock { connections in
      sessions.compactMap { session in
        connections[session, default: []].append(body)
        let isFull = connections[session, default: []].count > Self.perSession
        return isFull ? connections[session]?.removeFirst() : nil
      }
    }
    for body in surplus { body.disconnect() }
  }

  fileprivate func remove(_ body: StreamBody, for sessions: [String]) {
    connections.withLock { connections in
      for session in sessions {
        connections[session]?.removeAll { $0 === body }
        if connections[session]?.isEmpty == true { connections[session] = nil }
      }
    }
  }
}

/// Forwards the calls of a connection to a source, and reports the connection to the table.
private final class CountedStream: StreamSource {
  private let source: any StreamSource
  private let sessions: [String]
  private let table: StreamTable
  private let body = Mutex<StreamBody?>(nil)

  init(_ source: any StreamSource, _ sessions: [String], in table: StreamTable) {
    self.source = source
    self.sessions = sessions
    self.table = table
  }

  func opened(by body: StreamBody) {
    self.body.withLock { $0 = body }
    table.add(body, for: sessions)
    source.opened(by: body)
  }

  func step() -> StreamStep { source.step() }

  func closed() {
    if let body = body.withLock({ $0.take() }) { table.remove(body, for: sessions) }
    source.closed()
  }
}
