import Synchronization

/// The elements of a sequence until the session of a ticket ends.
private struct SessionElements<Element: Sendable>: AsyncSequence, Sendable {
  let ticket: SessionTicket
  let stream: AsyncThrowingStream<Element, any Error>
  let unread: UnreadElements

  func makeAsyncIterator() -> Iterator {
    Iterator(ticket: ticket, stream: stream.makeAsyncIterator(), unread: unread)
  }

  /// Checks the ticket for each element.
  struct Iterator: AsyncIteratorProtocol {
    let ticket: SessionTicket
    var stream: AsyncThrowingStream<Element, any Error>.AsyncIterator
    let unread: UnreadElements

    mutating func next() async throws -> Element? { try await next(isolation: #isolation) }

    mutating func next(isolation: isolated (any Actor)?) async throws -> Element? {
      guard let element = try await stream.next(isolation: isolation) else { return nil }
      unread.removeOne()
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
  /// see ``run(_:)``. Up to 16 elements are read ahead of a slow consumer. Beyond that, the next
  /// element is read only after the consumer has taken one, so no element is lost.
  ///
  /// - Returns: A sequence to iterate once. It throws the errors of the given sequence. After the
  ///   end of the session, it throws `SessionError.ended`, even if an element has arrived before.
  public func elements<Base: AsyncSequence & Sendable>(
    of sequence: Base
  ) -> some AsyncSequence<Base.Element, any Error> & Sendable where Base.Element: Sendable {
    let (stream, continuation) = AsyncThrowingStream<Base.Element, any Error>.makeStream()
    let unread = UnreadElements(limit: 16)
    let task = Task {
      do {
        try await run {
          for try await element in sequence {
            continuation.yield(element)
            await unread.addOne()
          }
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
    return SessionElements<Base.Element>(ticket: self, stream: stream, unread: unread)
  }
}

/// The number of elements that a consumer has not read; the producer waits at the limit.
final class UnreadElements: Sendable {
  private struct State {
    var count = 0
    var producer: Waiter<Void>?
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) {
    self.limit = limit
  }

  /// Counts an element, and waits while there are too many.
  ///
  /// The wait ends when the task is cancelled.
  func addOne() async {
    let waiter = Waiter<Void>()
    let isFull = state.withLock { state in
      state.count += 1
      if state.count >= limit { state.producer = waiter }
      return state.count >= limit
    }
    if isFull { await waiter.value { $0.resume() } }
  }

  func removeOne() {
    let producer = state.withLock { state in
      state.count -= 1
      return state.producer.take()
    }
    producer?.resume()
  }
}
