/// Semaphores, locks, gates and channels: a waiter that never wakes, or two that wake for one place.
extension ReportedFault {
  static let waiting: [ReportedFault] = [
    ReportedFault(
      name: "a semaphore gives a permit to a waiter that was cancelled", reason: "never happens",
      address: "repoprompt/repoprompt-ce/pull/724"
    ) { isMended in
      {
        let semaphore = Semaphore(forgetsCancelled: isMended)
        await semaphore.wait()
        let cancelled = Task { await semaphore.wait() }
        let other = Task {
          await semaphore.wait()
          await semaphore.signal()
        }
        await semaphore.waitForWaiters(2)
        cancelled.cancel()
        await cancelled.value
        await semaphore.signal()
        await other.value
      }
    },
    ReportedFault(
      name: "a cancellation before the waiter is registered is lost", reason: "never happens",
      address: "apple/swift-async-algorithms/pull/80"
    ) { isMended in
      {
        let slot = Slot(remembersCancellation: isMended)
        let waiter = Task { await slot.wait() }
        waiter.cancel()
        await waiter.value
      }
    },
    ReportedFault(name: "a lock lets a newcomer pass the woken waiter", reason: "two holders") {
      isMended in
      {
        let lock = Lock(handsOver: isMended)
        let holders = Shared(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<3 {
            group.addTask {
              await lock.lock()
              try require(holders.add(1) == 1, "two holders of one lock")
              await Task.yield()
              holders.add(-1)
              await lock.unlock()
            }
          }
          try await group.waitForAll()
        }
      }
    },
    ReportedFault(name: "a signal between the check and the wait is lost", reason: "never happens")
    {
      isMended in
      {
        let event = Event(checksAgain: isMended)
        async let wait: Void = event.wait()
        async let signal: Void = event.signal()
        _ = await (wait, signal)
      }
    },
    ReportedFault(name: "a subscriber misses the value before its registration", reason: "missed") {
      isMended in
      {
        let topic = Topic()
        let reader = Task {
          if isMended {
            let (first, stream) = await topic.subscribe()
            return await max(first, last(of: stream))
          }
          let first = await topic.latest
          await Task.yield()
          let stream = await topic.subscribe().stream
          return await max(first, last(of: stream))
        }
        await Task.yield()
        await topic.publish(1)
        await topic.finish()
        let seen = await reader.value
        // A reader that comes after the end has the last value from the first look.
        try require(seen == 1, "the value was missed")
      }
    },
    ReportedFault(name: "a counter of running work ends the wait too early", reason: "too early") {
      isMended in
      {
        let latch = Latch()
        let done = Shared(0)
        if isMended { await latch.enter(2) }
        for _ in 0..<2 {
          Task {
            if !isMended { await latch.enter(1) }
            done.add(1)
            await latch.leave()
          }
        }
        await latch.wait()
        try require(done.current == 2, "the wait has ended too early")
      }
    },
  ]
}

private func last(of stream: AsyncStream<Int>) async -> Int {
  await stream.reduce(0) { $1 }
}

private actor Semaphore {
  private var permits = 1
  /// The waiters in order; `nil` for one that was cancelled and has kept its place.
  private var waiters: [(id: Int, continuation: CheckedContinuation<Void, Never>?)] = []
  private var lastID = 0
  private let forgetsCancelled: Bool

  init(forgetsCancelled: Bool) { self.forgetsCancelled = forgetsCancelled }

  func wait() async {
    if permits > 0 {
      permits -= 1
      return
    }
    lastID += 1
    let id = lastID
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiters.append((id, $0)) }
    } onCancel: {
      Task { await cancel(id) }
    }
  }

  private func cancel(_ id: Int) {
    guard let place = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters[place].continuation?.resume()
    if forgetsCancelled {
      waiters.remove(at: place)
    } else {
      waiters[place].continuation = nil
    }
  }

  func signal() {
    if waiters.isEmpty {
      permits += 1
    } else {
      waiters.removeFirst().continuation?.resume()
    }
  }

  func waitForWaiters(_ count: Int) async {
    while waiters.count < count { await Task.yield() }
  }
}

private actor Slot {
  private var waiter: CheckedContinuation<Void, Never>?
  private var isCancelled = false
  private let remembersCancellation: Bool

  init(remembersCancellation: Bool) { self.remembersCancellation = remembersCancellation }

  nonisolated func wait() async {
    await withTaskCancellationHandler {
      // Something else that waits, such as a log.
      await Task.yield()
      await register()
    } onCancel: {
      Task { await cancel() }
    }
  }

  private func register() async {
    await withCheckedContinuation { waiter in
      if isCancelled, remembersCancellation { waiter.resume() } else { self.waiter = waiter }
    }
  }

  private func cancel() {
    isCancelled = true
    waiter.take()?.resume()
  }
}

private actor Lock {
  private var isLocked = false
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private let handsOver: Bool

  init(handsOver: Bool) { self.handsOver = handsOver }

  func lock() async {
    if isLocked {
      await withCheckedContinuation { waiters.append($0) }
      // The lock is handed over, or it is free for the next caller.
    }
    isLocked = true
  }

  func unlock() {
    if waiters.isEmpty || !handsOver { isLocked = false }
    if !waiters.isEmpty { waiters.removeFirst().resume() }
  }
}

private actor Event {
  private var hasHappened = false
  private var waiter: CheckedContinuation<Void, Never>?
  private let checksAgain: Bool

  init(checksAgain: Bool) { self.checksAgain = checksAgain }

  nonisolated func wait() async {
    if await hasHappened { return }
    await add()
  }

  private func add() async {
    if checksAgain, hasHappened { return }
    await withCheckedContinuation { waiter = $0 }
  }

  func signal() {
    hasHappened = true
    waiter.take()?.resume()
  }
}

private actor Topic {
  private(set) var latest = 0
  private var continuations: [AsyncStream<Int>.Continuation] = []
  private var isFinished = false

  func subscribe() -> (first: Int, stream: AsyncStream<Int>) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    if isFinished { continuation.finish() } else { continuations.append(continuation) }
    return (latest, stream)
  }

  func publish(_ value: Int) {
    latest = value
    for continuation in continuations { continuation.yield(value) }
  }

  func finish() {
    isFinished = true
    for continuation in continuations { continuation.finish() }
  }
}

private actor Latch {
  private var count = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func enter(_ number: Int) { count += number }

  func leave() {
    count -= 1
    guard count == 0 else { return }
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  func wait() async {
    if count == 0 { return }
    await withCheckedContinuation { waiters.append($0) }
  }
}
