import CausewayBasics
public import CausewayDatabase
public import CausewayWeb

/// A live query as events for a route; the events end when the reader loses access.
///
/// The queries run independently, so a client can receive one more event when its access ends. The
/// events should therefore contain nothing secret: send version numbers, for example, and not
/// records.
///
/// ```swift
/// return .events(GuardedEvents(versions, while: [membership]) { rows in
///   rows.first.map { ServerSentEvent(name: "version", id: "\($0)", data: "\($0)") }
/// })
/// ```
public struct GuardedEvents<Row: Decodable & Equatable & Sendable>: AsyncSequence, Sendable {
  private let query: LiveQuery<Row>
  private let access: [LiveQuery<Int>]
  private let event: @Sendable ([Row]) -> ServerSentEvent?

  /// Makes the events of a query.
  ///
  /// - Parameters:
  ///   - query: The query. Each of its versions can become an event.
  ///   - access: Queries that return no row after the reader has lost access.
  ///   - event: Returns the event for the rows of a version, or nil for no event.
  public init(
    _ query: LiveQuery<Row>, while access: [LiveQuery<Int>],
    event: @escaping @Sendable ([Row]) -> ServerSentEvent?
  ) {
    (self.query, self.access, self.event) = (query, access, event)
  }

  /// Begins to follow the queries.
  ///
  /// A slow client gets only the latest event.
  public func makeAsyncIterator() -> AsyncThrowingStream<ServerSentEvent, any Error>.Iterator {
    AsyncThrowingStream<ServerSentEvent, any Error>.newest { try await forward(to: $0) }
      .makeAsyncIterator()
  }

  /// Returns when the first of the queries ends, or an access query has no row.
  private func forward(to listener: Listener<ServerSentEvent>) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for query in access {
        group.addTask {
          for try await rows in query where rows.isEmpty { return }
        }
      }
      group.addTask {
        for try await rows in query {
          if let event = event(rows) { listener.yield(event) }
        }
      }
      defer { group.cancelAll() }
      _ = try await group.next()
    }
  }
}
