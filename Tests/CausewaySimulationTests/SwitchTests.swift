import CausewayData
import CausewaySQLite
import CausewaySimulation
import TestSupport
import Testing

/// A double that answers at once.
private actor Prices {
  func price() -> Int { 1 }
}

/// Reads its sum, asks for a price, and writes the sum.
private actor Basket {
  private(set) var sum = 0
  private let prices = Prices()

  func add() async {
    let old = sum
    sum = old + (await prices.price())
  }
}

/// Asks its own double twice, and reads the shared sum before the second answer.
///
/// The first call of an actor is a place to switch in each trial, because the actor begins to run.
private struct Customer: Sendable {
  /// The sum of all customers, without an actor between them.
  let sum: Mutexed<Int>
  let prices = Prices()

  func buy() async {
    let first = await prices.price()
    let old = sum.value
    let second = await prices.price()
    sum.value = old + first + second
  }
}

/// Looks a price up in a cache, between the read and the write of a sum.
private struct PricedSum: Sendable {
  let sum = Mutexed(0)
  let prices: ResourceCache<Int, Int>

  func add() async throws {
    let old = sum.value
    sum.value = old + (try await prices.value(for: 1))
  }
}

private struct Row: Codable, Sendable { var id: Int; var value: Int }

/// Exchanges the values of two rows, with an `await` between the read and the use of a variable.
private actor Exchange {
  private let database: any PersistenceService
  private var known: [Int] = []

  init(_ database: any PersistenceService) { self.database = database }

  func exchange() async throws {
    known = try await database.read { try values(in: $0) }
    let (first, second) = (known[0], known[1])
    try await database.write { transaction in
      try transaction.execute("UPDATE row SET value = \(second) WHERE id = 1")
    }
    // Another call may have read the rows meanwhile.
    let value = first
    try await database.write { transaction in
      try transaction.execute("UPDATE row SET value = \(value) WHERE id = 2")
    }
  }
}

private func values(in transaction: any ReadTransaction) throws -> [Int] {
  try transaction.rows("SELECT id, value FROM row ORDER BY id", as: Row.self).map(\.value)
}

/// Races between calls that take little or no time are found within 50 seeds.
///
/// Five actions of a script end before the time of the trial does, so each of them counts.
struct SwitchTests {
  private static let migrations = [
    Migration("row", "CREATE TABLE row (id INTEGER PRIMARY KEY, value INTEGER NOT NULL)"),
    Migration("rows", "INSERT INTO row VALUES (1, 1), (2, 2)"),
  ]

  @Test(arguments: [UInt64](0..<3).map { $0 * 1_000 })
  func `a read and a write of two tellers in two transactions are found`(first: UInt64) {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: first..<first + 50, for: .seconds(60), shrinks: 0) { world in
        let bank = world.node("bank") { node in
          try await node.database("bank.db", migrations: Self.migrations)
        }
        world.script(on: [bank, bank], actions: 5) { database, _ in
          let old = try await database.read { try values(in: $0)[0] }
          try await database.write {
            try $0.execute("UPDATE row SET value = \(old + 1) WHERE id = 1")
          }
        }
        return bank
      } check: { world, bank in
        let value = try await bank.root?.read { try values(in: $0)[0] }
        try world.require(value == 11, "\(value ?? 0) of 11")
      }
    }
    #expect(failure?.reason.hasSuffix(" of 11") == true)
  }

  @Test(arguments: [UInt64](0..<3).map { $0 * 1_000 })
  func `two rows that an actor exchanges in two transactions are found`(first: UInt64) {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: first..<first + 50, for: .seconds(60), shrinks: 0) { world in
        let node = world.node("shop") { node in
          let database = try await node.database("shop.db", migrations: Self.migrations)
          return (database: database, exchange: Exchange(database))
        }
        world.script(on: [node, node], actions: 5) { root, _ in try await root.exchange.exchange() }
        return node
      } check: { world, node in
        let found = try await node.root?.database.read { try values(in: $0) } ?? []
        try world.require(Set(found) == [1, 2], "the values \(found)")
      }
    }
    #expect(failure?.reason.hasPrefix("the values") == true)
  }

  @Test(arguments: [UInt64](0..<3).map { $0 * 1_000 })
  func `a lost update around a double that answers at once is found`(first: UInt64) {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: first..<first + 50, for: .seconds(60), shrinks: 0) { world in
        let node = world.node("shop") { _ in Basket() }
        world.script(on: [node, node], actions: 5) { basket, _ in await basket.add() }
        return node
      } check: { world, node in
        let sum = await node.root?.sum ?? 0
        try world.require(sum == 10, "\(sum) of 10")
      }
    }
    #expect(failure?.reason.hasSuffix(" of 10") == true)
  }

  @Test(arguments: [UInt64](0..<3).map { $0 * 1_000 })
  func `a lost update around a value that a cache has in memory is found`(first: UInt64) {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: first..<first + 50, for: .seconds(60), shrinks: 0) { world in
        let node = world.node("shop") { node in
          let sum = PricedSum(prices: ResourceCache(clock: node.clock) { _ in 1 })
          _ = try await sum.prices.value(for: 1)
          return sum
        }
        world.script(on: [node, node], actions: 5) { sum, _ in try await sum.add() }
        return node
      } check: { world, node in
        let sum = node.root?.sum.value ?? 0
        try world.require(sum == 10, "\(sum) of 10")
      }
    }
    #expect(failure?.reason.hasSuffix(" of 10") == true)
  }

  @Test(arguments: [UInt64](0..<3).map { $0 * 1_000 })
  func `a lost update of two tasks, whose actors no other task calls, is found`(first: UInt64) {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: first..<first + 50, for: .seconds(60), shrinks: 0) { world in
        let node = world.node("shop") { _ in
          let sum = Mutexed(0)
          return (sum: sum, customers: [Customer(sum: sum), Customer(sum: sum)])
        }
        for number in 0..<2 {
          world.script(on: [node], actions: 5) { shop, _ in await shop.customers[number].buy() }
        }
        return node
      } check: { world, node in
        let sum = node.root?.sum.value ?? 0
        try world.require(sum == 20, "\(sum) of 20")
      }
    }
    #expect(failure?.reason.hasSuffix(" of 20") == true)
  }
}
