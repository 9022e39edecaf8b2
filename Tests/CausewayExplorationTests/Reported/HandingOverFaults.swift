/// Waiters and shared work: two tasks resume one waiter, or a result is between two owners.
extension ReportedFault {
  static let handingOver: [ReportedFault] = [
    ReportedFault(
      name: "a finished task is forgotten before its value is stored", reason: "loads",
      address: "tuist/tuist/pull/8692"
    ) { isMended in
      {
        let store = ValueStore(storesFirst: isMended)
        async let first = store.value()
        async let second = store.value()
        _ = await (first, second)
        let loads = await store.loads
        try require(loads == 1, "\(loads) loads")
      }
    },
    ReportedFault(
      name: "a permit is lost if the time of its waiter ends at the same moment",
      reason: "is lost", address: "Arthur-Ficial/apfel/issues/214"
    ) { isMended in
      {
        let semaphore = TimedSemaphore(checksQueue: isMended)
        _ = await semaphore.wait(for: .seconds(9))
        let waiter = Task {
          if await semaphore.wait(for: .seconds(1)) { await semaphore.signal() }
        }
        try await Task.sleep(for: .seconds(1))
        await semaphore.signal()
        await waiter.value
        let isFree = await semaphore.wait(for: .seconds(1))
        try require(isFree, "the permit is lost")
      }
    },
    ReportedFault(
      name: "the end of a stream reaches one of two readers", reason: "never happens",
      address: "swiftlang/swift/issues/71412"
    ) { isMended in
      {
        let stream = SharedStream(resumesAll: isMended)
        async let first: Void = stream.waitForEnd()
        async let second: Void = stream.waitForEnd()
        async let end: Void = stream.finish()
        _ = await (first, second, end)
      }
    },
    ReportedFault(
      name: "a token that can be used once is sent twice", reason: "a used token",
      address: "govuk-one-login/mobile-ios-one-login-app/pull/806"
    ) { isMended in
      {
        let tokens = Tokens(sharesExchange: isMended)
        async let first: Void = tokens.refresh()
        async let second: Void = tokens.refresh()
        _ = try await (first, second)
      }
    },
    ReportedFault(
      name: "the caller that waits for a parked task discards it", reason: "never happens",
      address: "kaishi00/hermes-conduit/pull/94"
    ) { isMended in
      {
        let gate = Gate(keepsParked: isMended)
        async let parked: Void = gate.park()
        async let opened: Void = gate.openWhenParked()
        _ = await (parked, opened)
      }
    },
  ]
}

private actor ValueStore {
  private(set) var loads = 0
  private var known: Int?
  private var task: Task<Int, Never>?
  private let storesFirst: Bool

  init(storesFirst: Bool) { self.storesFirst = storesFirst }

  func value() async -> Int {
    if let known { return known }
    let running = task ?? Task { await load() }
    task = running
    return await running.value
  }

  private func load() async -> Int {
    loads += 1
    let value = loads
    if !storesFirst { task = nil }
    // Writes the value to a file.
    await Task.yield()
    known = value
    task = nil
    return value
  }
}

private actor TimedSemaphore {
  private var permits = 1
  private var waiters: [(id: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var late: Set<Int> = []
  private var lastID = 0
  private let checksQueue: Bool

  init(checksQueue: Bool) { self.checksQueue = checksQueue }

  /// Returns whether the caller has a permit.
  func wait(for limit: Duration) async -> Bool {
    if permits > 0 {
      permits -= 1
      return true
    }
    lastID += 1
    let id = lastID
    let timer = Task {
      try? await Task.sleep(for: limit)
      if !Task.isCancelled { timeOut(id) }
    }
    await withCheckedContinuation { waiters.append((id, $0)) }
    timer.cancel()
    return !late.contains(id)
  }

  private func timeOut(_ id: Int) {
    let place = waiters.firstIndex { $0.id == id }
    // A signal may have resumed the waiter, which has not run yet.
    if checksQueue, place == nil { return }
    late.insert(id)
    if let place { waiters.remove(at: place).continuation.resume() }
  }

  func signal() {
    if waiters.isEmpty {
      permits += 1
    } else {
      waiters.removeFirst().continuation.resume()
    }
  }
}

private actor SharedStream {
  private var isFinished = false
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private let resumesAll: Bool

  init(resumesAll: Bool) { self.resumesAll = resumesAll }

  func waitForEnd() async {
    if isFinished { return }
    await withCheckedContinuation { waiters.append($0) }
  }

  func finish() {
    isFinished = true
    for waiter in waiters.suffix(resumesAll ? waiters.count : 1) { waiter.resume() }
    waiters = []
  }
}

private actor TokenServer {
  private var valid = 0

  func exchange(_ token: Int) throws -> Int {
    try require(token == valid, "a used token was sent")
    valid += 1
    return valid
  }
}

private actor Tokens {
  private let server = TokenServer()
  private var stored = 0
  private var running: Task<Void, any Error>?
  private let sharesExchange: Bool

  init(sharesExchange: Bool) { self.sharesExchange = sharesExchange }

  func refresh() async throws {
    guard sharesExchange else { return try await exchange() }
    let task = running ?? Task { try await exchange() }
    running = task
    try await task.value
  }

  private func exchange() async throws { stored = try await server.exchange(stored) }
}

private actor Gate {
  private var parked: [CheckedContinuation<Void, Never>] = []
  private var observers: [CheckedContinuation<Void, Never>] = []
  private let keepsParked: Bool

  init(keepsParked: Bool) { self.keepsParked = keepsParked }

  func park() async {
    for observer in observers { observer.resume() }
    observers = []
    await withCheckedContinuation { parked.append($0) }
  }

  func openWhenParked() async {
    if parked.isEmpty {
      await withCheckedContinuation { observers.append($0) }
    } else if !keepsParked {
      parked = []
    }
    for task in parked { task.resume() }
    parked = []
  }
}
