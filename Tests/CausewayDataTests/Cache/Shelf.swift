import CausewayData
import Synchronization
import TestSupport

@testable import CausewayStores

/// A test server that responds on demand and records its requests.
final class Shelf: Sendable {
  struct Empty: Error, Equatable {}

  struct Request: Sendable, Equatable {
    let key: Int
    let validator: String?
  }

  private struct State {
    var answers: [Int: Result<ResourceAnswer<String>, any Error>] = [:]
    var gates: [Gate] = []
    var running = 0
    var mostRunning = 0
  }

  let requests = Log<Request>()
  let cancelled = Log<Int>()
  let ended = Log<Int>()
  private let state = Mutex(State())

  /// The highest number of concurrent requests.
  var mostRunning: Int { state.withLock(\.mostRunning) }

  /// Sets the response to a key's requests from now on.
  ///
  /// The default is "key.number".
  func answer(_ key: Int, _ answer: ResourceAnswer<String>) {
    state.withLock { $0.answers[key] = .success(answer) }
  }

  /// Makes a key's requests fail from now on.
  func fail(_ key: Int, _ error: any Error = Empty()) {
    state.withLock { $0.answers[key] = .failure(error) }
  }

  /// Restores the default response to a key's requests.
  func recover(_ key: Int) {
    state.withLock { $0.answers[key] = nil }
  }

  /// Delays the next request that has no gate, until the returned gate is opened.
  func hold() -> Gate {
    let gate = Gate()
    state.withLock { $0.gates.append(gate) }
    return gate
  }

  /// Responds to a request.
  ///
  /// - Parameter ignoresCancellation: Whether a cancelled request still waits at its gate.
  func load(
    _ key: Int, _ validator: String? = nil, ignoresCancellation: Bool = false
  ) async throws -> ResourceAnswer<String> {
    let (gate, number) = state.withLock { state in
      state.running += 1
      state.mostRunning = max(state.mostRunning, state.running)
      let gate = state.gates.isEmpty ? nil : state.gates.removeFirst()
      requests.append(Request(key: key, validator: validator))
      return (gate, requests.all.count)
    }
    defer {
      state.withLock { $0.running -= 1 }
      ended.append(key)
    }
    if ignoresCancellation {
      await gate?.waitUncancellably()
    } else {
      await gate?.wait()
      if Task.isCancelled {
        cancelled.append(key)
        throw CancellationError()
      }
    }
    if let answer = state.withLock({ $0.answers[key] }) { return try answer.get() }
    return .value("\(key).\(number)")
  }
}

extension ResourcePolicy {
  /// Fresh for 10 s, stale for 20 s more, without retries and timers.
  static var plain: ResourcePolicy {
    ResourcePolicy(
      freshFor: .seconds(10), staleFor: .seconds(20), retries: 0, failureCoolDown: .zero,
      sweepEvery: nil)
  }
}

/// A cache of the shelf's strings.
///
/// The size of a string is its number of letters in bytes.
func makeCache(
  of shelf: Shelf, _ policy: ResourcePolicy = .plain, clock: ManualClock = ManualClock(),
  disk: ResourceDisk<Int, String>? = nil, wallClock: WallClock = .system,
  ignoresCancellation: Bool = false,
  reportDiskFailure: @escaping @Sendable (Int, any Error) -> Void = { _, _ in }
) -> ResourceCache<Int, String> {
  ResourceCache(
    policy: policy, disk: disk, size: { $0.utf8.count },
    surroundings: Surroundings(clock: clock, date: wallClock.date), executor: nil,
    isTransient: { !($0 is Shelf.Empty) }, reportDiskFailure: reportDiskFailure
  ) { key, validator in
    try await shelf.load(key, validator, ignoresCancellation: ignoresCancellation)
  }
}

extension ResourceCache {
  /// Returns when that many callers wait for a load of the key.
  func waiters(_ count: Int, for key: Key) async {
    await until { state.withLock({ $0.loads.load(key)?.waiters.count ?? 0 }) >= count }
  }

  /// Whether no load is running and no state of past loads is left.
  var isQuiet: Bool {
    state.withLock { state in
      state.loads.count == 0 && state.loads.running == 0 && state.unwritten.isEmpty
    }
  }

  /// Returns when all loads have finished.
  func quiet() async {
    await until { isQuiet }
  }
}
