/// The elements of a sequence until the session of a ticket ends.
public struct SessionElements<Element: Sendable>: AsyncSequence, Sendable {
  let ticket: SessionTicket
  let stream: AsyncThrowingStream<Element, any Error>

  /// Creates the iterator; iterate only once.
  public func makeAsyncIterator() -> Iterator {
    Iterator(ticket: ticket, stream: stream.makeAsyncIterator())
  }

  /// Checks the ticket for each element.
  public struct Iterator: AsyncIteratorProtocol {
    let ticket: SessionTicket
    var stream: AsyncThrowingStream<Element, any Error>.AsyncIterator

    /// The next element; `nil` at the end of the sequence.
    ///
    /// - Throws: `SessionError.ended`, even if an element arrived before the session ended; the
    ///   errors of the sequence.
    public mutating func next() async throws -> Element? {
      guard let element = try await stream.next(isolation: #isolation) else { return nil }
      try ticket.check()
      return element
    }
  }
}

extension SessionTicket {
  /// The elements of a sequence, such as an event stream, until the session ends.
  ///
  /// ```swift
  /// for try await event in ticket.elements(of: network.events(for: .init(.get, "/events"))) { … }
  /// ```
  ///
  /// When the session ends, the iteration of the sequence is cancelled, and this sequence throws
  /// `SessionError.ended`. Network requests of the sequence use a token of the ticket's account;
  /// see ``run(_:)``. Elements that the consumer has not read yet are kept.
  public func elements<Base: AsyncSequence & Sendable>(
    of sequence: Base
  ) -> SessionElements<Base.Element> where Base.Element: Sendable {
    let (stream, continuation) = AsyncThrowingStream<Base.Element, any Error>.makeStream()
    let task = Task {
      do {
        try await run {
          for try await element in sequence { continuation.yield(element) }
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    let registration = current.atEnd(of: epoch) { [account] in
      continuation.finish(throwing: SessionError.ended(account))
      task.cancel()
    }
    continuation.onTermination = { _ in
      task.cancel()
      withExtendedLifetime(registration) {}
    }
    return SessionElements(ticket: self, stream: stream)
  }
}
