import CausewayData
import CausewaySQLite
import CausewaySimulation
import Synchronization
import Testing

/// A program with a store of values and a token, whose disk is checked after each crash.
struct StoreWorld: Sendable {
  var disk: DiskFault?

  @discardableResult
  func simulate(
    _ seeds: Range<UInt64>, shrinks: Int = 150, replaying replay: String? = nil
  ) throws -> SimulationSummary {
    try simulateWorld(
      seeds, replay, for: .seconds(60), settling: .seconds(1), shrinks: shrinks
    ) { world in
      let ledger = StoreLedger()
      let program = world.node("program") { node in
        let program = try await StoreProgram(node, ledger)
        // Later saves would hide a loss.
        try await program.check(world)
        return program
      }
      let all = [program.id]
      world.faults = [
        .powerLoss(of: all, every: .seconds(4), down: .zero ... .milliseconds(10)),
        .crashes(of: all, every: .seconds(8), down: .zero ... .milliseconds(10)),
      ]
      if let disk {
        world.faults.append(
          .disk(disk, of: all, every: .seconds(5), lasting: .zero ... .seconds(3)))
      }
      world.script(
        on: [program], actions: 60, pause: .zero ... .seconds(1), expectsErrors: disk != nil
      ) { program, random in
        switch Int.random(in: 0..<7, using: &random) {
        case 0: try await program.saveToken()
        case 1: try await program.removeToken()
        case 2: try await program.insert(&random)
        default: try await program.save(&random)
        }
      }
      return program
    } check: { world, program in
      guard let program = program.root else { return world.fail("the program has not started") }
      try await program.check(world)
    }
  }
}

/// The values that a program has stored, outside of the simulated world.
///
/// A crash or a bad disk can interrupt a call before or after its effect. Both values are then
/// possible, until a later call for the same key returns.
private final class StoreLedger: Sendable {
  private let contents = Mutex<[String: Set<String?>]>([:])
  private let last = Atomic(0)

  /// The possible values by their keys; `nil` for no value.
  var possible: [String: Set<String?>] { contents.withLock { $0 } }

  /// Returns a value that no other call stores.
  func newValue() -> String { "\(last.add(1, ordering: .relaxed).newValue)" }

  /// Notes that a value stays on the disk, because the program has read it.
  func settle(_ value: String, for key: String, _ world: World) throws {
    let wasPossible = contents.withLock { contents in
      defer { contents[key] = [value] }
      return contents[key]?.contains(value) == true
    }
    try world.require(wasPossible, "\(key) has the value \(value), which no call has stored last")
  }

  /// Performs a call that stores a value, or removes it.
  func perform(
    _ value: String?, for key: String, on node: NodeContext, _ body: () async throws -> Void
  ) async throws {
    contents.withLock { _ = $0[key, default: [nil]].insert(value) }
    try await body()
    // A call ignores errors of its last operation, which may be a crash.
    if node.isRunning { contents.withLock { $0[key] = [value] } }
  }
}

private struct StoreProgram: Sendable {
  private let node: NodeContext
  private let ledger: StoreLedger
  private let backing: DatabaseBacking<String, String>
  private let tokens: FileTokenStore
  private let database: SQLiteService
  private static let token = "token"
  /// The beginning of each token, which no other file contains.
  private static let secret = "secret token "

  private struct Row: Codable {
    var key: String
    var value: String
  }

  init(_ node: NodeContext, _ ledger: StoreLedger) async throws {
    database = try await node.database(
      "rows.db",
      migrations: [
        Migration("rows", "CREATE TABLE row (key TEXT PRIMARY KEY, value TEXT NOT NULL)"),
        DatabaseBacking<String, String>.migration(table: "value"),
      ])
    // As an app does before it uses a token store. A power failure must not remove the folder.
    try node.files.createDurableDirectory(node.path("account"))
    self.node = node
    self.ledger = ledger
    backing = DatabaseBacking(database, table: "value")
    tokens = node.tokenStore("account/token")
  }

  func save(_ random: inout SimulationRandom) async throws {
    let key = "key \(Int.random(in: 1...4, using: &random))"
    let value = random.happens(0.2) ? nil : ledger.newValue()
    try await ledger.perform(value, for: key, on: node) {
      try await backing.save(
        value.map { StoreChanges(updated: [key: $0]) } ?? StoreChanges(removed: [key]))
    }
  }

  func insert(_ random: inout SimulationRandom) async throws {
    let row = Row(key: "row \(Int.random(in: 1...2, using: &random))", value: ledger.newValue())
    try await ledger.perform(row.value, for: row.key, on: node) {
      try await database.write { try $0.upsert(row, into: "row", key: ["key"]) }
    }
  }

  func saveToken() async throws {
    let value = Self.secret + ledger.newValue()
    try await ledger.perform(value, for: Self.token, on: node) {
      try tokens.save(AuthToken(access: value))
    }
  }

  func removeToken() async throws {
    try await ledger.perform(nil, for: Self.token, on: node) { try tokens.remove() }
  }

  /// Checks that the disk has one of the possible values of each key.
  func check(_ world: World) async throws {
    let values = try await backing.load()
    let rows = try await database.read { try $0.rows("SELECT * FROM row", as: Row.self) }
    // The service has synchronised all commits that it reads.
    for row in rows { try ledger.settle(row.value, for: row.key, world) }
    for (key, value) in values { try ledger.settle(value, for: key, world) }
    for (key, possible) in ledger.possible.sorted(by: { $0.key < $1.key }) {
      let value =
        key == Self.token
        ? try tokens.load()?.access : rows.first { $0.key == key }?.value ?? values[key]
      try world.require(
        possible.contains(value), "\(key) has the value \(value ?? "none"), not of \(possible)")
    }
    guard ledger.possible[Self.token] == [nil] else { return }
    for (name, bytes) in node.diskContents.sorted(by: { $0.key < $1.key }) {
      let hasToken = String(decoding: bytes, as: UTF8.self).contains(Self.secret)
      try world.require(!hasToken, "\(name) has a removed token")
    }
  }
}

@Suite struct StoreWorldTests {
  @Test func `a token that is not there can be removed, and its folder must exist for a save`()
    throws
  {
    try simulate(seeds: 0..<1, for: .seconds(1)) { world in
      _ = world.node("program") { node in
        let tokens = node.tokenStore("account/token")
        try tokens.remove()
        try world.require(try tokens.load() == nil, "there is a token")
        var hasFailed = false
        do { try tokens.save(AuthToken(access: "a")) } catch { hasFailed = true }
        try world.require(hasFailed, "a token is in a folder that does not exist")
        try node.files.createDirectory(node.path("account"))
        try tokens.save(AuthToken(access: "a"))
        try tokens.remove()
        try tokens.remove()
        try world.require(try tokens.load() == nil, "the token was not removed")
      }
    }
  }

  @Test(arguments: [nil, DiskFault.failingSync, .full])
  func `each crash leaves the saved values of a store and a token`(disk: DiskFault?) throws {
    let summary = try StoreWorld(disk: disk).simulate(0..<20)
    #expect(summary.crashes > 200)
  }
}
