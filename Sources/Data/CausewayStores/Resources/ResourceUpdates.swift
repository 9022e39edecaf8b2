import CausewayBasics
import Synchronization

/// The values that loads have changed, for one consumer.
struct ResourceUpdates<Key: Hashable & Sendable, Value: Sendable>: AsyncSequence, Sendable {
  typealias Element = (key: Key, value: Value)
  typealias Failure = Never

  let subscription: UpdateSubscription<Key, Value>

  func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  struct Iterator: AsyncIteratorProtocol {
    let subscription: UpdateSubscription<Key, Value>

    mutating func next() async -> Element? { await next(isolation: #isolation) }

    mutating func next(isolation: isolated (any Actor)?) async -> Element? {
      await subscription.mailbox.next(isolation: isolation)
    }
  }
}

/// Keeps a mailbox registered while a sequence or an iterator exists.
final class UpdateSubscription<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let mailbox: UpdateMailbox<Key, Value>
  private let release: @Sendable () -> Void

  init(_ mailbox: UpdateMailbox<Key, Value>, release: @escaping @Sendable () -> Void) {
    self.mailbox = mailbox
    self.release = release
  }

  deinit {
    release()
  }
}

/// The updates that a consumer has not received.
final class UpdateMailbox<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State: ~Copyable {
    var pending = RecencyList<Key, Value>()
    var consumers: [Waiter<Void>] = []
    var hasEnded = false

    mutating func takeConsumers() -> [Waiter<Void>] {
      defer { consumers = [] }
      return consumers
    }
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) {
    self.limit = max(limit, 1)
  }

  /// Adds an update.
  ///
  /// Returns the values to release and the waiters to resume outside of any lock.
  func post(
    _ key: Key, _ value: Value
  ) -> (dropped: [Value], awakened: [Waiter<Void>]) {
    state.withLock { state in
      if state.hasEnded { return ([], []) }
      var dropped: [Value] = []
      if let replaced = state.pending.store(value, for: key, bytes: 0) { dropped.append(replaced) }
      if state.pending.count > limit, let oldest = state.pending.removeOldest() {
        dropped.append(oldest.element)
      }
      return (dropped, state.takeConsumers())
    }
  }

  /// Removes the updates that the consumer has not received, and returns them.
  func clear() -> [Value] {
    state.withLock { state in
      var dropped: [Value] = []
      while let oldest = state.pending.removeOldest() { dropped.append(oldest.element) }
      return dropped
    }
  }

  /// Ends the sequence after the consumer has received the remaining updates.
  func end() {
    let consumers: [Waiter<Void>] = state.withLock { state in
      state.hasEnded = true
      return state.takeConsumers()
    }
    for consumer in consumers { consumer.resume() }
  }

  func next(isolation: isolated (any Actor)?) async -> (key: Key, value: Value)? {
    while !Task.isCancelled {
      let (update, hasEnded): ((key: Key, value: Value)?, Bool) = state.withLock { state in
        let oldest = state.pending.removeOldest()
        return (oldest.map { (key: $0.key, value: $0.element) }, state.hasEnded)
      }
      if let update { return update }
      if hasEnded { return nil }
      await wait(isolation: isolation)
    }
    return nil
  }

  private func wait(isolation: isolated (any Actor)?) async {
    let waiter = Waiter<Void>()
    let isReady = state.withLock { state in
      if state.hasEnded || state.pending.count > 0 { return true }
      state.consumers.append(waiter)
      return false
    }
    if isReady { return }
    await waiter.value { waiter in
      _ = state.withLock { $0.consumers.remove(waiter) }
      waiter.resume()
    }
  }
}
