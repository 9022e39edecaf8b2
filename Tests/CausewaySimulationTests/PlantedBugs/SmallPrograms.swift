import CausewayData
import CausewaySimulation
import Synchronization

/// Small programs with a planted bug, or without it.
enum SmallPrograms {
  /// An account whose actor suspends in the middle of each deposit.
  static func account(_ seeds: Range<UInt64>, losesUpdates: Bool) throws {
    try simulate(seeds: seeds, for: .seconds(10), shrinks: 0) { world in
      let bank = world.node("bank") { _ in (account: Account(losesUpdates), deposits: Counter()) }
      world.script(on: [bank, bank], actions: 5, pause: .zero ... .milliseconds(200)) { root, _ in
        root.deposits.increase()
        try await root.account.deposit(1)
      }
      return bank
    } check: { world, bank in
      guard let root = bank.root else { return }
      let balance = await root.account.balance
      try world.require(
        balance == root.deposits.value, "balance \(balance) after \(root.deposits.value)")
    }
  }

  private actor Account {
    private(set) var balance = 0
    private let losesUpdates: Bool

    init(_ losesUpdates: Bool) {
      self.losesUpdates = losesUpdates
    }

    func deposit(_ amount: Int) async throws {
      let before = balance
      try await SimulationClock().sleep(for: .milliseconds(5))
      balance = (losesUpdates ? before : balance) + amount
    }
  }

  /// A worker that waits for items.
  static func queue(_ seeds: Range<UInt64>, losesWakeups: Bool) throws {
    try simulate(seeds: seeds, for: .seconds(10), shrinks: 0) { world in
      let node = world.node("worker") { _ in
        let queue = Queue(losesWakeups)
        _ = Task { await queue.work() }
        return queue
      }
      world.script(on: [node, node], actions: 3, pause: .zero ... .seconds(3)) { queue, _ in
        await queue.add()
      }
      return node
    } check: { world, node in
      let left = await node.root?.items ?? 0
      try world.require(left == 0, "\(left) items are left")
    }
  }

  private actor Queue {
    private(set) var items = 0
    private var waiter: CheckedContinuation<Void, Never>?
    private let losesWakeups: Bool

    init(_ losesWakeups: Bool) {
      self.losesWakeups = losesWakeups
    }

    func add() {
      items += 1
      waiter?.resume()
      waiter = nil
    }

    func work() async {
      while true {
        if items == 0 {
          // The worker has found no item. An item may arrive before the worker waits.
          try? await SimulationClock().sleep(for: .milliseconds(20))
          if losesWakeups || items == 0 { await withCheckedContinuation { waiter = $0 } }
        }
        if items > 0 { items -= 1 }
      }
    }
  }

  /// A screen that refreshes a value of a server.
  static func refreshes(_ seeds: Range<UInt64>, keepsStale: Bool) throws {
    try simulate(seeds: seeds, for: .seconds(20), shrinks: 0) { world in
      let server = world.node("server") { node in
        let value = Counter()
        node.serve { request in
          if request.method == .post { value.increase() }
          return NetworkResponse(status: 200, body: Array("\(value.value)".utf8))
        }
      }
      let screen = world.node("screen") { node in
        Screen(node.network(to: server.id), keepsStale)
      }
      world.faults = [.latency(.milliseconds(1) ... .milliseconds(500))]
      // With more changes, few trials end with a stale refresh.
      world.script(on: [screen, screen], actions: 2, pause: .zero ... .milliseconds(300)) {
        screen, _ in
        try await screen.change()
      }
      return screen
    } check: { world, screen in
      let value = await screen.root?.value
      try world.require(value == 4, "the screen shows \(value ?? -1) of 4 changes")
    }
  }

  private actor Screen {
    private(set) var value = 0
    private var begun = 0
    private var shown = 0
    private let network: any NetworkService
    private let keepsStale: Bool

    init(_ network: any NetworkService, _ keepsStale: Bool) {
      self.network = network
      self.keepsStale = keepsStale
    }

    /// Changes the value on the server, and then reads it.
    func change() async throws {
      _ = try await network.response(for: NetworkRequest(.post, "/"))
      begun += 1
      let number = begun
      let body = try await network.response(for: NetworkRequest(.get, "/")).body
      // If a later refresh has already finished, its value is newer.
      guard keepsStale || number > shown else { return }
      shown = number
      value = Int(String(decoding: body, as: UTF8.self)) ?? -1
    }
  }

  /// A token that is replaced while the power may fail.
  static func tokens(_ seeds: Range<UInt64>, omitsSync: Bool) throws {
    try simulate(seeds: seeds, for: .seconds(60), settling: .zero, shrinks: 0) { world in
      let node = world.node("client") { node in
        let files: any FileSystem = omitsSync ? UnsynchronizedFiles(base: node.files) : node.files
        let tokens = FileTokenStore(path: node.path("token"), files: files)
        return (tokens: tokens, saved: node.stored("saved") { Counter() }, node: node)
      }
      world.faults = [
        .powerLoss(of: [node.id], every: .seconds(10), down: .zero ... .seconds(1))
      ]
      world.script(on: [node], actions: 20, pause: .zero ... .seconds(5)) { root, _ in
        try root.tokens.save(AuthToken(access: "\(root.saved.value + 1)"))
        if root.node.isRunning { root.saved.increase() }
      }
      return node
    } check: { world, node in
      guard let root = node.root else { return }
      let token = try root.tokens.load()?.access ?? "0"
      let saved = root.saved.value
      // A crash may interrupt the last save after it has replaced the file.
      try world.require(
        token == "\(saved)" || token == "\(saved + 1)", "token \(token) of \(saved)")
    }
  }
}

/// A file system that does not wait until the bytes of a file are on the disk.
private struct UnsynchronizedFiles: FileSystem {
  let base: any FileSystem

  var executor: any SerialExecutor { base.executor }
  var hasOwners: Bool { base.hasOwners }
  func createDirectory(_ path: String) throws(FileError) { try base.createDirectory(path) }
  func list(_ path: String) throws(FileError) -> [FileInfo] { try base.list(path) }
  func read(_ path: String) throws(FileError) -> [UInt8]? { try base.read(path) }
  func create(_ path: String) throws(FileError) -> FileHandleNumber { try base.create(path) }
  func identity(_ path: String) -> FileIdentity? { base.identity(path) }
  func openForAppending(
    _ path: String
  ) throws(FileError) -> (FileHandleNumber, size: Int)? { try base.openForAppending(path) }
  func truncate(_ file: FileHandleNumber, to size: Int) throws(FileError) {
    try base.truncate(file, to: size)
  }
  func write(_ bytes: [UInt8], to file: FileHandleNumber) throws(FileError) {
    try base.write(bytes, to: file)
  }
  func synchronize(_ file: FileHandleNumber) throws(FileError) {}
  func close(_ file: FileHandleNumber) throws(FileError) { try base.close(file) }
  func rename(_ path: String, to newPath: String) throws(FileError) {
    try base.rename(path, to: newPath)
  }
  func synchronizeDirectory(_ path: String) throws(FileError) {
    try base.synchronizeDirectory(path)
  }
  func remove(_ path: String) throws(FileError) { try base.remove(path) }
  func setModified(_ path: String, to time: Int64) throws(FileError) {
    try base.setModified(path, to: time)
  }
  func lock(_ path: String) throws(FileError) -> any Sendable { try base.lock(path) }
}
