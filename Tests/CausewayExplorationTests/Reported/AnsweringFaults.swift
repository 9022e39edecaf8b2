/// Answers, timeouts and subscriptions that are late, lost, or taken for something else.
extension ReportedFault {
  static let answering: [ReportedFault] = [
    ReportedFault(
      name: "a waiter that comes while the others are resumed is forgotten",
      reason: "never happens", address: "GraphQLSwift/DataLoader/pull/27"
    ) { isMended in
      {
        let answer = Answer(takesAtOnce: isMended)
        async let first = answer.value()
        async let second = answer.value()
        async let fulfilled: Void = answer.fulfill(7)
        let values = await [first, second]
        await fulfilled
        try require(values == [7, 7], "\(values)")
      }
    },
    ReportedFault(
      name: "the work ends before its timeout is reported", reason: "no timeout",
      address: "swiftlang/sourcekit-lsp/pull/1743"
    ) { isMended in
      {
        let (results, input) = AsyncStream<String>.makeStream()
        let work = Task {
          try? await Task.sleep(for: .seconds(10))
          input.yield("a part of the work")
        }
        Task {
          try await Task.sleep(for: .seconds(1))
          if isMended { input.yield("timeout") }
          work.cancel()
          await Task.yield()
          input.yield("timeout")
        }
        let first = await results.first { _ in true }
        await work.value
        try require(first == "timeout", "no timeout, but \(first ?? "the end")")
      }
    },
    ReportedFault(
      name: "a cancelled timer ends a stream as if its time was over", reason: "timeout",
      address: "christopherkarani/Swarm/pull/78"
    ) { isMended in
      {
        let (values, input) = AsyncThrowingStream<Int, any Error>.makeStream()
        let timer = Task {
          try? await Task.sleep(for: .seconds(5))
          if isMended, Task.isCancelled { return }
          input.finish(throwing: Broken("timeout"))
        }
        Task {
          input.yield(1)
          timer.cancel()
          await Task.yield()
          input.finish()
        }
        for try await _ in values {}
        await timer.value
      }
    },
    ReportedFault(
      name: "a status is read before its observer has stored it", reason: "still closed",
      address: "supabase/supabase-swift/pull/855"
    ) { isMended in
      {
        let connection = Connection(storesStatus: isMended)
        async let observer: Void = connection.observe()
        await connection.connect()
        let status = await connection.status
        connection.close()
        await observer
        try require(status == "open", "still \(status)")
      }
    },
    ReportedFault(
      name: "an event comes before the task that registers its reader", reason: "missed",
      address: "AgentWorkforce/relay/pull/1268"
    ) { isMended in
      {
        let hub = Hub()
        let events = isMended ? await hub.registered() : hub.events
        await hub.publish(1)
        Task { await hub.publish(2) }
        let first = await events.first { _ in true }
        try require(first == 1, "the first event was missed")
      }
    },
    ReportedFault(
      name: "a new timer drops the waiter of the timer before it", reason: "never happens",
      address: "valkey-io/valkey-swift/pull/377"
    ) { isMended in
      {
        let timer = Timer(endsOldWaiter: isMended)
        async let first: Void = timer.run()
        async let second: Void = timer.run()
        try await Task.sleep(for: .seconds(1))
        await timer.stop()
        _ = await (first, second)
      }
    },
    ReportedFault(
      name: "a permit is lost if its taker was cancelled before", reason: "never happens",
      address: "groue/Semaphore/pull/3"
    ) { isMended in
      {
        let permits = Permits(givesBack: isMended)
        let taker = Task {
          try await permits.take()
          await permits.give()
        }
        await Task.yield()
        taker.cancel()
        _ = await taker.result
        try await permits.take()
      }
    },
    ReportedFault(
      name: "readers wait for a writer that was cancelled", reason: "never happens",
      address: "christopherkarani/Wax/pull/6"
    ) { isMended in
      {
        let lock = SharedLock(wakesReaders: isMended)
        await lock.read()
        let writer = Task { await lock.write() }
        let reader = Task { await lock.read() }
        await Task.yield()
        writer.cancel()
        await reader.value
        await lock.endRead()
        await lock.endRead()
        await writer.value
      }
    },
  ]
}

private actor Answer {
  private var waiters: [CheckedContinuation<Int, Never>] = []
  private var known: Int?
  private let takesAtOnce: Bool

  init(takesAtOnce: Bool) { self.takesAtOnce = takesAtOnce }

  func value() async -> Int {
    if let known { return known }
    return await withCheckedContinuation { waiters.append($0) }
  }

  func fulfill(_ value: Int) async {
    if takesAtOnce { known = value }
    for waiter in waiters { waiter.resume(returning: value) }
    if !takesAtOnce { await Task.yield() }
    waiters = []
    known = value
  }
}

private actor Connection {
  private(set) var status = "closed"
  private let (changes, input) = AsyncStream<String>.makeStream()
  private let storesStatus: Bool

  init(storesStatus: Bool) { self.storesStatus = storesStatus }

  func observe() async { for await change in changes { status = change } }

  func connect() {
    input.yield("open")
    if storesStatus { status = "open" }
  }

  nonisolated func close() { input.finish() }
}

private actor Hub {
  private var readers: [AsyncStream<Int>.Continuation] = []

  nonisolated var events: AsyncStream<Int> {
    AsyncStream { reader in Task { await add(reader) } }
  }

  private func add(_ reader: AsyncStream<Int>.Continuation) { readers.append(reader) }

  func registered() -> AsyncStream<Int> {
    let (events, reader) = AsyncStream<Int>.makeStream()
    add(reader)
    return events
  }

  func publish(_ event: Int) { for reader in readers { reader.yield(event) } }
}

private actor Timer {
  private var waiter: CheckedContinuation<Void, Never>?
  private let endsOldWaiter: Bool

  init(endsOldWaiter: Bool) { self.endsOldWaiter = endsOldWaiter }

  func run() async {
    await withCheckedContinuation { new in
      if endsOldWaiter { stop() }
      waiter = new
    }
  }

  func stop() { waiter.take()?.resume() }
}

private actor Permits {
  private var free = 1
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private let givesBack: Bool

  init(givesBack: Bool) { self.givesBack = givesBack }

  func take() async throws {
    free -= 1
    if free < 0 {
      await withCheckedContinuation { waiters.append($0) }
    } else if Task.isCancelled {
      if givesBack { give() }
      throw CancellationError()
    }
  }

  func give() {
    free += 1
    if !waiters.isEmpty { waiters.removeFirst().resume() }
  }
}

/// Writers come before readers that have asked later.
private actor SharedLock {
  private var readers = 0
  private var writer: CheckedContinuation<Void, Never>?
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private let wakesReaders: Bool

  init(wakesReaders: Bool) { self.wakesReaders = wakesReaders }

  func read() async {
    if writer == nil { readers += 1 } else { await withCheckedContinuation { waiting.append($0) } }
  }

  func endRead() {
    readers -= 1
    if readers == 0 {
      writer.take()?.resume()
      wake()
    }
  }

  func write() async {
    if readers == 0 { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { new in
        if Task.isCancelled { new.resume() } else { writer = new }
      }
    } onCancel: {
      Task { await cancel() }
    }
  }

  private func cancel() {
    writer.take()?.resume()
    if wakesReaders { wake() }
  }

  private func wake() {
    for reader in waiting.take() {
      readers += 1
      reader.resume()
    }
  }
}

extension Array {
  fileprivate mutating func take() -> Self {
    defer { self = [] }
    return self
  }
}
