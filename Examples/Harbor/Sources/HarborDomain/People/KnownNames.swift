import Synchronization

/// The names that were read or stored, by browser.
///
/// The answers of the store can arrive out of order, so each answer has its place among the
/// changes.
final class KnownNames: Sendable {
  private struct Known {
    /// `nil` if it was removed.
    var name: PersonName?
    /// Its place in the order of the commits.
    var order = 0
    /// The number of changes up to and including its last change.
    var changedAt = 0
  }

  private struct State {
    var known: [String: Known] = [:]
    var lastOrder = 0
    var changeCount = 0
    /// The place in the order, and the number of changes, at which all names were removed.
    var (clearedOrder, clearedAt) = (0, 0)
  }

  private let state = Mutex(State())

  subscript(browser: String) -> PersonName? { state.withLock { $0.known[browser]?.name } }

  /// The number of changes until now.
  var changeCount: Int { state.withLock(\.changeCount) }

  /// The next place in the order of the commits.
  func nextOrder() -> Int {
    state.withLock { state in
      state.lastOrder += 1
      return state.lastOrder
    }
  }

  /// Sets a stored name, unless it was stored before a known change.
  func set(_ name: PersonName, in browser: String, storedAs order: Int) {
    state.withLock { state in
      guard order > max(state.clearedOrder, state.known[browser]?.order ?? 0) else { return }
      state.changeCount += 1
      state.known[browser] = Known(name: name, order: order, changedAt: state.changeCount)
    }
  }

  /// Sets names that were read after a number of changes, except those that have changed since.
  func set(_ names: [(browser: String, name: PersonName?)], readAfter changeCount: Int) {
    state.withLock { state in
      guard state.clearedAt <= changeCount else { return }
      for (browser, name) in names where state.known[browser]?.changedAt ?? 0 <= changeCount {
        // Anybody can make a browser identity, so an identity without a name takes no memory.
        if name == nil, state.known[browser] == nil { continue }
        state.known[browser, default: Known()].name = name
      }
    }
  }

  /// Removes a name, even if an answer that contains the name arrives later.
  func remove(_ browser: String) {
    state.withLock { state in
      state.changeCount += 1
      state.known[browser] = Known(order: state.lastOrder, changedAt: state.changeCount)
    }
  }

  /// Removes all names, like ``remove(_:)``.
  func removeAll() {
    state.withLock { state in
      state.changeCount += 1
      state.known = [:]
      (state.clearedOrder, state.clearedAt) = (state.lastOrder, state.changeCount)
    }
  }
}
