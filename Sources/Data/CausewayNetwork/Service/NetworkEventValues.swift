/// The decoded events of a server, for one consumer.
private struct NetworkEventValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
  /// The decoded content of an event.
  typealias Element = Value
  /// A `NetworkError`, or the error of the service.
  typealias Failure = any Error

  let events: NetworkEventStream
  let coding: JSONCoding
  /// The name of the events to decode; `nil` for all events.
  let name: String?

  /// Makes the iterator of the consumer.
  func makeAsyncIterator() -> Iterator {
    Iterator(base: events.makeAsyncIterator(), coding: coding, name: name)
  }

  /// Yields values to one consumer.
  struct Iterator: AsyncIteratorProtocol {
    var base: NetworkEventStream.AsyncIterator
    let coding: JSONCoding
    let name: String?

    /// Returns the next value; `nil` at the end.
    ///
    /// - Throws: `NetworkError`.
    mutating func next() async throws -> Value? {
      try await next(isolation: #isolation)
    }

    /// Returns the next value; `nil` at the end.
    ///
    /// - Throws: `NetworkError`.
    mutating func next(isolation: isolated (any Actor)?) async throws -> Value? {
      while let event = try await base.next(isolation: isolation) {
        guard name == nil || event.name == name else { continue }
        return try coding.decode(Value.self, from: Array(event.data.utf8), isSecret: false)
      }
      return nil
    }
  }
}

extension NetworkService {
  /// Returns the decoded events of an event stream, which resumes after a lost connection.
  ///
  /// ```swift
  /// for try await price in network.events(for: Endpoint<Price>(.get, "/prices")) { show(price) }
  /// ```
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint; its response type is the type of the events.
  ///   - name: The name of the events to decode. Other events are ignored. Default: all events.
  ///   - connection: Receives the state of the connection.
  /// - Returns: A sequence for one consumer. It throws `NetworkError` when the server refuses the stream
  ///   permanently, or when an event cannot be decoded.
  public func events<Value>(
    for endpoint: Endpoint<Value>, named name: String? = nil,
    connection: @escaping NetworkConnection.Observer = { _ in }
  ) -> some AsyncSequence<Value, any Error> & Sendable {
    let events: NetworkEventStream
    do throws(NetworkError) {
      events = self.events(for: try endpoint.encoded(with: coding), connection: connection)
    } catch {
      events = NetworkEventStream { throw error }
    }
    return NetworkEventValues<Value>(events: events, coding: coding, name: name)
  }

  /// Returns a hint for each event of a stream, and for each connection.
  ///
  /// Use it as ``RemoteSource/hints(_:)``. Each connection also gives a hint, because hints may
  /// have been lost while there was no connection. Hints that wait for a slow consumer are joined
  /// into one hint. The stream fails when its connection is lost, and the engine connects again.
  ///
  /// - Parameter request: The request of the event stream.
  public func hints(for request: NetworkRequest) -> AsyncThrowingStream<Void, any Error> {
    .hints { hint in
      self.events(for: request, reconnects: false) { if $0 == .open { hint() } }
    }
  }
}
