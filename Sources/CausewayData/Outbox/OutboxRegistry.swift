import Synchronization

/// The senders of an outbox's entries, and the observers of their changes.
final class OutboxRegistry: Sendable {
  private struct Observer: Sendable {
    let collection: String
    let scope: SyncScope
    let expectsRead: @Sendable () -> Bool
    let notify: @Sendable (OutboxChange) -> Void
  }

  private struct State {
    var routes: [String: OutboxRoute] = [:]
    var observers: [Int: Observer] = [:]
    var next = 0
  }

  private let state = Mutex(State())

  func setRoute(_ route: OutboxRoute, for collection: String) {
    state.withLock { $0.routes[collection] = route }
  }

  func route(for collection: String) -> OutboxRoute? {
    state.withLock { $0.routes[collection] }
  }

  /// Calls a closure after each change of an entry in a scope of a collection.
  ///
  /// - Parameters:
  ///   - expectsRead: Whether the observer soon reads the scope after a mutation is acknowledged,
  ///     and stores the receipt together with its own rows.
  func observe(
    _ collection: String, _ scope: SyncScope, expectsRead: @escaping @Sendable () -> Bool,
    notify: @escaping @Sendable (OutboxChange) -> Void
  ) -> Registration {
    let id = state.withLock { state in
      defer { state.next += 1 }
      state.observers[state.next] = Observer(
        collection: collection, scope: scope, expectsRead: expectsRead, notify: notify)
      return state.next
    }
    return Registration { [weak self] in
      _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
    }
  }

  func tell(_ change: OutboxChange, about entry: OutboxEntry) {
    for observer in observers(of: entry) { observer.notify(change) }
  }

  /// Whether an observer of the entry's scope reads the scope soon.
  func expectsRead(of entry: OutboxEntry) -> Bool {
    observers(of: entry).contains { $0.expectsRead() }
  }

  private func observers(of entry: OutboxEntry) -> [Observer] {
    state.withLock { state in
      state.observers.values.filter {
        $0.collection == entry.collection && $0.scope == entry.scope
      }
    }
  }
}
