import Synchronization

extension Outbox {
  /// Who wants to know about the entries of a collection's scope.
  struct Observers: Sendable {
    struct Observer: Sendable {
      let collection: String
      let scope: SyncScope
      let notify: @Sendable (OutboxChange) -> Void
    }

    var observers: [Int: Observer] = [:]
    var next = 0
  }

  /// Calls a closure after each commit that changes an entry of a collection's scope.
  nonisolated func observe(
    _ collection: String, _ scope: SyncScope, notify: @escaping @Sendable (OutboxChange) -> Void
  ) -> Registration {
    let id = observers.withLock { state in
      defer { state.next += 1 }
      state.observers[state.next] = .init(collection: collection, scope: scope, notify: notify)
      return state.next
    }
    return Registration { [weak self] in
      _ = self?.observers.withLock { $0.observers.removeValue(forKey: id) }
    }
  }

  nonisolated func tell(_ change: OutboxChange, about entry: OutboxEntry) {
    let interested = observers.withLock { state in
      state.observers.values.filter {
        $0.collection == entry.collection && $0.scope == entry.scope
      }
    }
    for observer in interested { observer.notify(change) }
  }

  nonisolated func register(_ collection: String, _ route: OutboxRoute) {
    routes.withLock { $0[collection] = route }
    inbox.send(.registered(collection), once: .registered(collection))
  }

  nonisolated func route(for collection: String) -> OutboxRoute? {
    routes.withLock { $0[collection] }
  }
}
