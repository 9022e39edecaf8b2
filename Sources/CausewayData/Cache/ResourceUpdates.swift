import Synchronization

/// A value that took the place of another one in a cache.
public struct ResourceUpdate<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Whose value it is.
  public let key: Key
  /// The new value.
  public let value: Value
}

/// The values that loads changed, from the moment at which it was made.
///
/// - It is registered when it is made: no later change is missed.
/// - It shows state, not events: for each key only the latest value waits for a slow consumer. At
///   most as many keys wait as the cache keeps in memory; beyond that, those that changed first
///   are left out.
/// - It has one consumer, and ends when that is cancelled or the cache is gone.
public struct ResourceUpdates<Key: Hashable & Sendable, Value: Sendable>: AsyncSequence, Sendable {
  /// One key's latest value.
  public typealias Element = ResourceUpdate<Key, Value>
  /// It does not fail.
  public typealias Failure = Never

  let subscription: UpdateSubscription<Key, Value>

  /// Delivers the updates to the consumer.
  public func makeAsyncIterator() -> Iterator {
    Iterator(subscription: subscription)
  }

  /// Delivers updates to one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: UpdateSubscription<Key, Value>

    /// The next update; `nil` at the end.
    public mutating func next() async -> Element? {
      await subscription.mailbox.next(isolation: #isolation)
    }

    /// The next update; `nil` at the end.
    public mutating func next(isolation: isolated (any Actor)?) async -> Element? {
      await subscription.mailbox.next(isolation: isolation)
    }
  }
}

/// Keeps a mailbox registered for as long as anyone can read it.
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

/// The updates that one consumer has not seen.
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

  /// Takes in an update; returns what to let go of and whom to wake, both outside of any lock.
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

  /// Forgets what the consumer has not seen; returns it, to be let go of outside of any lock.
  func clear() -> [Value] {
    state.withLock { state in
      var dropped: [Value] = []
      while let oldest = state.pending.removeOldest() { dropped.append(oldest.element) }
      return dropped
    }
  }

  /// Ends the consumer once it has seen what is there.
  func end() {
    let consumers: [Waiter<Void>] = state.withLock { state in
      state.hasEnded = true
      return state.takeConsumers()
    }
    for consumer in consumers { consumer.resume() }
  }

  func next(isolation: isolated (any Actor)?) async -> ResourceUpdate<Key, Value>? {
    while !Task.isCancelled {
      let (update, hasEnded): (ResourceUpdate<Key, Value>?, Bool) = state.withLock { state in
        let oldest = state.pending.removeOldest()
        return (oldest.map { ResourceUpdate(key: $0.key, value: $0.element) }, state.hasEnded)
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
