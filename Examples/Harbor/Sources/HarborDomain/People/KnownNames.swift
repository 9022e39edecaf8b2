import Synchronization

/// The names that were read or stored, by browser.
///
/// An answer of the store can arrive after a later one, so each says what it follows.
final class KnownNames: Sendable {
  private struct Known {
    var name: PersonName?
    /// Its place in the order of the commits.
    var order = 0
    /// The moment of its last change.
    var changed = 0
  }

  private struct State {
    var known: [String: Known] = [:]
    var order = 0
    /// Counts the changes.
    var moment = 0
    /// The moment at which names were removed.
    var removed = 0
  }

  private let state = Mutex(State())

  subscript(browser: String) -> PersonName? { state.withLock { $0.known[browser]?.name } }

  /// The moment of the last change.
  var moment: Int { state.withLock(\.moment) }

  /// The next place in the order of the commits.
  func nextOrder() -> Int {
    state.withLock { state in
      state.order += 1
      return state.order
    }
  }

  /// Sets a stored name, unless one that was stored later was set.
  func set(_ name: PersonName, in browser: String, storedAs order: Int) {
    state.withLock { state in
      guard order > state.known[browser]?.order ?? 0 else { return }
      state.moment += 1
      state.known[browser] = Known(name: name, order: order, changed: state.moment)
    }
  }

  /// Sets names that were read, except those that were changed or removed since.
  func set(_ names: [(browser: String, name: PersonName?)], readAt moment: Int) {
    state.withLock { state in
      guard state.removed <= moment else { return }
      for (browser, name) in names where state.known[browser]?.changed ?? 0 <= moment {
        // Strangers make browsers; one without a name needs no memory.
        if name == nil, state.known[browser] == nil { continue }
        state.known[browser, default: Known()].name = name
      }
    }
  }

  func remove(_ browser: String) { remove { $0[browser] = nil } }

  func removeAll() { remove { $0 = [:] } }

  private func remove(_ body: (inout [String: Known]) -> Void) {
    state.withLock { state in
      body(&state.known)
      state.moment += 1
      state.removed = state.moment
    }
  }
}
