import CausewayBasics
import CausewayNetwork
import Foundation
import Synchronization

/// The senders of an outbox's entries, and the observers of their changes and of dead letters.
final class OutboxRegistry: Sendable {
  private struct Place: Hashable {
    let collection: String
    let scope: SyncScope
  }

  private struct State {
    var routes: [String: OutboxRoute] = [:]
    /// The observers by scope, so a change in one scope costs no time for other scopes.
    var observers: [Place: [Int: any OutboxObserver]] = [:]
    var next = 0
  }

  private let state = Mutex(State())
  private let rejected = Broadcast<DeadLetter>(nil, buffering: .everything)
  private let dropped = Broadcast<DeadLetter>(nil, buffering: .everything)

  func setRoute(_ route: OutboxRoute, for collection: String) {
    // The old route is released after the unlock, because it holds the app's closures.
    _ = state.withLock { $0.routes.updateValue(route, forKey: collection) }
  }

  func route(for collection: String) -> OutboxRoute? {
    state.withLock { $0.routes[collection] }
  }

  /// Adds the observer of a scope of a collection, until the registration is released.
  func add(
    _ observer: any OutboxObserver, of collection: String, in scope: SyncScope
  ) -> Registration {
    let place = Place(collection: collection, scope: scope)
    let id = state.withLock { state in
      defer { state.next += 1 }
      state.observers[place, default: [:]][state.next] = observer
      return state.next
    }
    return Registration { [weak self] in
      _ = self?.state.withLock { state in
        defer { if state.observers[place]?.isEmpty == true { state.observers[place] = nil } }
        return state.observers[place]?.removeValue(forKey: id)
      }
    }
  }

  func tell(_ change: OutboxChange, about entry: OutboxEntry) {
    DataSignals.send(entry.signal(change.stage, details: change.reason))
    for observer in observers(of: entry) { observer.changed(change) }
  }

  /// Reports new dead letters, and the dead letters that were dropped because of them.
  func tell(_ buried: [BuriedEntry], dropped letters: [DeadLetter]) {
    for entry in buried { rejected.send(entry.letter, beginning: nil) }
    for letter in letters {
      dropped.send(letter, beginning: nil)
      DataSignals.send(letter.signal(because: "too many dead letters"))
      end(letter.collection, letter.account, letter.key, letter.payload)
    }
  }

  /// Yields each mutation that is refused after this call.
  func rejections() -> AsyncStream<DeadLetter> { rejected.stream() }

  /// Yields each dead letter that is removed because there are too many.
  func droppedDeadLetters() -> AsyncStream<DeadLetter> { dropped.stream() }

  /// Tells all observers that the server can be reached again.
  ///
  /// Complexity: O(observers).
  func tellReached() {
    let observers = state.withLock { $0.observers.values.flatMap(\.values) }
    for observer in observers { observer.reached() }
  }

  /// Reports to the sender of a collection that a mutation has ended.
  func end(
    _ collection: String, _ account: AccountID, _ key: IdempotencyKey, _ payload: Data?
  ) {
    route(for: collection)?.ended(EndedMutation(account: account, key: key, payload: payload))
  }

  /// Whether a scope of a collection has an observer.
  func hasObserver(_ collection: String, _ scope: SyncScope) -> Bool {
    state.withLock { $0.observers[Place(collection: collection, scope: scope)] != nil }
  }

  /// Whether an observer of the entry's scope reads the scope soon.
  func expectsRead(of entry: OutboxEntry) -> Bool {
    observers(of: entry).contains(where: \.expectsRead)
  }

  private func observers(of entry: OutboxEntry) -> [any OutboxObserver] {
    let place = Place(collection: entry.collection, scope: entry.scope)
    return state.withLock { Array($0.observers[place, default: [:]].values) }
  }
}
