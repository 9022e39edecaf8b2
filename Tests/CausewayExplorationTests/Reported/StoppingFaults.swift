/// Services, loops and pools: a stop that comes before, during or after a start.
extension ReportedFault {
  static let stopping: [ReportedFault] = [
    ReportedFault(
      name: "a stop before the run skips the clean-up", reason: "was not cleaned up",
      address: "swift-server/swift-service-lifecycle/issues/248"
    ) { isMended in
      {
        let group = ServiceGroup(remembersStop: isMended)
        async let run: Void = group.run()
        await group.stop()
        await run
        let isClean = await group.isClean
        try require(isClean, "the service was not cleaned up")
      }
    },
    ReportedFault(
      name: "a wait for cancelled work never ends if the work returns a value",
      reason: "never happens", address: "swift-server/swift-service-lifecycle/pull/177"
    ) { isMended in
      {
        let stop = Signal()
        async let work: Void = finishOnStop(stop, takesValue: isMended)
        await stop.send()
        await work
      }
    },
    ReportedFault(
      name: "a cancelled loop stops its replacement", reason: "has stopped",
      address: "session-foundation/session-ios/pull/720"
    ) { isMended in
      {
        let poller = RestartedPoller(checksCancellation: isMended)
        await poller.start()
        await poller.stop()
        await poller.start()
        try await Task.sleep(for: .seconds(5))
        let isRunning = await poller.isRunning
        await poller.stop()
        try require(isRunning, "the new loop has stopped")
      }
    },
    ReportedFault(
      name: "a retry that is planned during the shutdown opens a connection", reason: "is open",
      address: "swift-server/async-http-client/pull/419"
    ) { isMended in
      {
        let pool = ConnectionPool(checksEnd: isMended)
        async let attempt: Void = pool.connect()
        await pool.shutDown()
        await attempt
        await pool.waitForRetry()
        let isOpen = await pool.isOpen
        try require(!isOpen, "a connection is open after the end")
      }
    },
    ReportedFault(
      name: "a value is read before the set-up that nothing waits for", reason: "too early",
      address: "firebase/data-connect-ios-sdk/pull/101"
    ) { isMended in
      {
        let storage = Storage(waitsForSetUp: isMended)
        await storage.begin()
        let value = await storage.value()
        try require(value != nil, "the value was read too early")
      }
    },
  ]
}

private actor ServiceGroup {
  private enum State { case idle, running, stopped }

  private var state = State.idle
  private var waiter: CheckedContinuation<Void, Never>?
  private(set) var isClean = false
  private let remembersStop: Bool

  init(remembersStop: Bool) { self.remembersStop = remembersStop }

  func run() async {
    // The error of a group that has already ended, which the caller ignores.
    if state == .stopped, !remembersStop { return }
    if state == .idle {
      state = .running
      await withCheckedContinuation { waiter = $0 }
    }
    isClean = true
  }

  func stop() {
    state = .stopped
    waiter.take()?.resume()
  }
}

private actor Signal {
  private var isSent = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func wait() async {
    if isSent { return }
    await withCheckedContinuation { waiters.append($0) }
  }

  func send() {
    isSent = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}

/// Cancels work after a signal, and waits for its end.
private func finishOnStop(_ stop: Signal, takesValue: Bool) async {
  let ended = Signal()
  let work = Task {
    try? await Task.sleep(for: .seconds(1))
    // The work has a value, although it was cancelled.
    if takesValue || !Task.isCancelled { await ended.send() }
  }
  await stop.wait()
  work.cancel()
  await ended.wait()
}

private actor RestartedPoller {
  private var loop: Task<Void, Never>?
  private let checksCancellation: Bool

  init(checksCancellation: Bool) { self.checksCancellation = checksCancellation }

  var isRunning: Bool { loop != nil }

  func start() {
    guard loop == nil else { return }
    loop = Task {
      while (try? await Task.sleep(for: .seconds(1))) != nil {}
      // The caller that cancelled the loop may have started another loop.
      if checksCancellation, Task.isCancelled { return }
      stop()
    }
  }

  func stop() {
    loop?.cancel()
    loop = nil
  }
}

private actor ConnectionPool {
  private var retry: Task<Void, Never>?
  private var hasEnded = false
  private(set) var isOpen = false
  private let checksEnd: Bool

  init(checksEnd: Bool) { self.checksEnd = checksEnd }

  /// The first attempt fails.
  func connect() async {
    await Task.yield()
    if checksEnd, hasEnded { return }
    retry = Task {
      try? await Task.sleep(for: .seconds(1))
      if !Task.isCancelled { isOpen = true }
    }
  }

  func shutDown() {
    hasEnded = true
    retry?.cancel()
  }

  func waitForRetry() async { await retry?.value }
}

private actor Storage {
  private var provider: String?
  private var setUp: Task<Void, Never>?
  private let waitsForSetUp: Bool

  init(waitsForSetUp: Bool) { self.waitsForSetUp = waitsForSetUp }

  func begin() {
    setUp = Task {
      await Task.yield()
      provider = "disk"
    }
  }

  func value() async -> String? {
    if waitsForSetUp { await setUp?.value }
    return provider
  }
}
