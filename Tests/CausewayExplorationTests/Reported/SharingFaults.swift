/// Caches, refreshes, loops and screens: two callers that share work or a value.
extension ReportedFault {
  static let sharing: [ReportedFault] = [
    ReportedFault(
      name: "a token is refreshed by each caller", reason: "refreshes",
      address: "DanXi-Dev/DanXi-swift/issues/31"
    ) { isMended in
      {
        let session = Session(sharesRefresh: isMended)
        async let first = session.token()
        async let second = session.token()
        _ = await (first, second)
        let count = await session.refreshes
        try require(count == 1, "\(count) refreshes")
      }
    },
    ReportedFault(
      name: "a value that is made once is made twice", reason: "two values",
      address: "zcash/zcash-swift-wallet-sdk/issues/1838"
    ) {
      isMended in
      {
        let lazy = Lazy(keepsTask: isMended)
        async let first = lazy.value()
        async let second = lazy.value()
        let isSame = await first == second
        try require(isSame, "two values of one lazy property")
      }
    },
    ReportedFault(
      name: "an old load stores its value after an invalidation", reason: "old value",
      address: "RevenueCat/purchases-ios/pull/7111"
    ) {
      isMended in
      {
        let cache = Cache(checksVersion: isMended)
        async let load: Void = cache.load()
        async let change: Void = cache.change(to: 2)
        _ = await (load, change)
        let value = await cache.value()
        try require(value == 2, "the old value is stored")
      }
    },
    ReportedFault(
      name: "a debouncer runs an action after its cancellation", reason: "cancelled",
      address: "DevYeom/OneWay/pull/105"
    ) {
      isMended in
      {
        let runs = Shared(0)
        let debouncer = Debouncer(checksCancellation: isMended)
        await debouncer.schedule { runs.add(1) }
        await debouncer.cancel()
        let before = runs.current
        await debouncer.waitForEnd()
        try require(runs.current == before, "a cancelled action ran")
      }
    },
    ReportedFault(
      name: "a loop that ends clears the loop that was started after it", reason: "two",
      address: "Vixen-Labs/busylight/issues/11"
    ) {
      isMended in
      {
        let poller = Poller(comparesLoop: isMended)
        await poller.start()
        await poller.stop()
        await poller.start()
        await poller.settle()
        await poller.start()
        let running = await poller.running
        await poller.stop()
        try require(running <= 1, "two loops run")
      }
    },
    ReportedFault(
      name: "a queue of tasks runs its work in another order", reason: "order",
      address: "aws-amplify/amplify-swift/issues/3556"
    ) {
      isMended in
      {
        let log = Shared<[Int]>([])
        let queue = WorkQueue(chains: isMended)
        await queue.add { log.set(log.current + [1]) }
        await queue.add { log.set(log.current + [2]) }
        await queue.waitForAll()
        try require(log.current == [1, 2], "another order: \(log.current)")
      }
    },
    ReportedFault(name: "a limit of running work is passed", reason: "over the limit") { isMended in
      {
        let pool = Pool(reserves: isMended)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<2 {
            group.addTask {
              let count = await pool.use()
              try require(count <= 1, "\(count) are over the limit")
            }
          }
          try await group.waitForAll()
        }
      }
    },
  ]
}

private actor Session {
  private(set) var refreshes = 0
  private var current: String?
  private var refresh: Task<String, Never>?
  private let sharesRefresh: Bool

  init(sharesRefresh: Bool) { self.sharesRefresh = sharesRefresh }

  func token() async -> String {
    if let current { return current }
    let task: Task<String, Never>
    if sharesRefresh, let refresh {
      task = refresh
    } else {
      task = Task {
        refreshes += 1
        await Task.yield()
        return "token \(refreshes)"
      }
      refresh = task
    }
    let token = await task.value
    current = token
    return token
  }
}

private actor Lazy {
  private var made = 0
  private var known: Int?
  private var task: Task<Int, Never>?
  private let keepsTask: Bool

  init(keepsTask: Bool) { self.keepsTask = keepsTask }

  private func make() async -> Int {
    await Task.yield()
    made += 1
    return made
  }

  func value() async -> Int {
    guard keepsTask else {
      if let known { return known }
      let value = await make()
      known = value
      return value
    }
    let running = task ?? Task { await make() }
    task = running
    return await running.value
  }
}

private actor Cache {
  private var stored: Int?
  private var source = 1
  private var version = 0
  private let checksVersion: Bool

  init(checksVersion: Bool) { self.checksVersion = checksVersion }

  func load() async {
    let (value, begin) = (source, version)
    await Task.yield()
    if checksVersion, version != begin { return }
    stored = value
  }

  func change(to value: Int) {
    source = value
    version += 1
    stored = nil
  }

  func value() -> Int { stored ?? source }
}

private actor Debouncer {
  private var task: Task<Void, Never>?
  private let checksCancellation: Bool

  init(checksCancellation: Bool) { self.checksCancellation = checksCancellation }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    task = Task { [checksCancellation] in
      try? await Task.sleep(for: .milliseconds(300))
      if checksCancellation, Task.isCancelled { return }
      action()
    }
  }

  func cancel() { task?.cancel() }

  func waitForEnd() async { await task?.value }
}

private actor Poller {
  private(set) var running = 0
  private var loop: Task<Void, Never>?
  private var loops: [Task<Void, Never>] = []
  private var number = 0
  private let comparesLoop: Bool

  init(comparesLoop: Bool) { self.comparesLoop = comparesLoop }

  func start() {
    guard loop == nil else { return }
    number += 1
    let own = number
    running += 1
    let task = Task {
      while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) }
      running -= 1
      // The loop may have been replaced meanwhile.
      if !comparesLoop || own == number { loop = nil }
    }
    loop = task
    loops.append(task)
  }

  /// Asks the loop to end; `start()` may be called before it has ended.
  func stop() {
    for loop in loops { loop.cancel() }
    loop = nil
  }

  /// Waits until the first loop has ended.
  func settle() async { await loops.first?.value }
}

private actor WorkQueue {
  private var last: Task<Void, Never>?
  private var all: [Task<Void, Never>] = []
  private let chains: Bool

  init(chains: Bool) { self.chains = chains }

  func add(_ work: @escaping @Sendable () -> Void) {
    let previous = chains ? last : nil
    let task = Task { @concurrent in
      await previous?.value
      work()
    }
    last = task
    all.append(task)
  }

  func waitForAll() async { for task in all { await task.value } }
}

private actor Pool {
  private var count = 0
  private let reserves: Bool

  init(reserves: Bool) { self.reserves = reserves }

  /// Returns the number of users at the same time, if one place is free.
  func use() async -> Int {
    while count >= 1 { await Task.yield() }
    if reserves {
      count += 1
    } else {
      await Task.yield()
      count += 1
    }
    let now = count
    await Task.yield()
    count -= 1
    return now
  }
}
