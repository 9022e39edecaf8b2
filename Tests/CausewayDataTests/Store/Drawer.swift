import CausewayData
import Synchronization
import TestSupport

/// A backing for tests that waits or fails on request and records its calls.
final class Drawer: StoreBacking {
  struct Stuck: Error, Equatable {}

  private struct State {
    var values: [Int: String]
    var loadGates: [Gate] = []
    var saveGates: [Gate] = []
    var failingLoads = 0
    var failingSaves = 0
  }

  let loads = Log<Int>()
  /// The saves, recorded at their start.
  let saves = Log<StoreChanges<Int, String>>()
  let saved = Log<Int>()
  private let state: Mutex<State>

  init(_ values: [Int: String] = [:]) {
    state = Mutex(State(values: values))
  }

  var values: [Int: String] {
    get { state.withLock(\.values) }
    set { state.withLock { $0.values = newValue } }
  }

  func failLoads(_ count: Int) { state.withLock { $0.failingLoads = count } }
  func failSaves(_ count: Int) { state.withLock { $0.failingSaves = count } }

  /// Makes the next load wait after it has read.
  func holdLoad() -> Gate {
    let gate = Gate()
    state.withLock { $0.loadGates.append(gate) }
    return gate
  }

  /// Makes the next save wait before it stores.
  func holdSave() -> Gate {
    let gate = Gate()
    state.withLock { $0.saveGates.append(gate) }
    return gate
  }

  /// Opens all gates, including those of later calls.
  func openAll() {
    let gates = state.withLock { state in
      defer { (state.loadGates, state.saveGates) = ([], []) }
      return state.loadGates + state.saveGates
    }
    for gate in gates { gate.open() }
  }

  @concurrent
  func load() async throws -> [Int: String] {
    let (values, gate, fails) = state.withLock { state in
      let gate = state.loadGates.isEmpty ? nil : state.loadGates.removeFirst()
      state.failingLoads -= 1
      return (state.values, gate, state.failingLoads >= 0)
    }
    loads.append(values.count)
    await gate?.waitUncancellably()
    if fails { throw Stuck() }
    return values
  }

  @concurrent
  func save(_ changes: StoreChanges<Int, String>) async throws {
    let gate = state.withLock { state in
      state.saveGates.isEmpty ? nil : state.saveGates.removeFirst()
    }
    saves.append(changes)
    await gate?.waitUncancellably()
    try state.withLock { state in
      state.failingSaves -= 1
      if state.failingSaves >= 0 { throw Stuck() }
      changes.apply(to: &state.values)
    }
    saved.append(saves.all.count)
  }
}

extension StorePolicy {
  /// Waits 1 s for more changes, 3 s at most, and 10 s after a failure.
  static var plain: StorePolicy {
    StorePolicy(
      debounce: .seconds(1), maximumWait: .seconds(3), retryPause: .seconds(10),
      longestRetryPause: .seconds(10), sweepEvery: .seconds(30))
  }
}
