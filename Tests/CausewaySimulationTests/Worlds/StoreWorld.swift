import CausewayData
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
        let program = StoreProgram(node, ledger)
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
      world.script(on: [program], actions: 60, pause: .zero ... .seconds(1)) { program, random in
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try await program.saveToken()
        case 1: try await program.removeToken()
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
  private let backing: FileBacking<String, String>
  private let tokens: FileTokenStore
  private static let token = "token"

  init(_ node: NodeContext, _ ledger: StoreLedger) {
    self.node = node
    self.ledger = ledger
    backing = node.fileBacking("stores/app/values.store")
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

  func saveToken() async throws {
    let value = ledger.newValue()
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
    for (key, possible) in ledger.possible.sorted(by: { $0.key < $1.key }) {
      let value = key == Self.token ? try tokens.load()?.access : values[key]
      try world.require(
        possible.contains(value), "\(key) has the value \(value ?? "none"), not of \(possible)")
    }
  }
}

@Suite struct StoreWorldTests {
  @Test(arguments: [nil, DiskFault.failingSync, .full])
  func `each crash leaves what a store and a token have saved`(disk: DiskFault?) throws {
    let summary = try StoreWorld(disk: disk).simulate(0..<20)
    #expect(summary.crashes > 200)
  }
}
