import CausewayBasics

/// Whether data signals are observed.
@usableFromInline
func hasSignalObserver() -> Bool { DataSignals.areObserved }

extension ResourceCache {
  /// Signals how a call of ``value(for:)`` is answered; the caller holds no lock.
  @usableFromInline
  func signal(_ found: CacheState<Key, Value>.Found, _ key: Key) {
    let answer: DataSignal.CacheAnswer =
      switch found {
      case .fresh, .stale(_, mayLoad: false): .hit
      case .stale(_, mayLoad: true): .stale
      case .missing: .miss
      case .coolingDown: .coolingDown
      }
    DataSignals.send(.cached(answer, key: key, value: Value.self))
  }
}
