import CausewayData
import CausewaySQLite
import CausewaySimulation
import Synchronization
import Testing

/// A program with live queries, whose writes overlap each other and the runs of the queries.
struct QueryWorld: Sendable {
  var actions = 40

  @discardableResult
  func simulate(
    _ seeds: Range<UInt64>, shrinks: Int = 150, replaying replay: String? = nil
  ) throws -> SimulationSummary {
    try simulateWorld(
      seeds, replay, for: .seconds(100), settling: .seconds(1), shrinks: shrinks
    ) { world in
      let program = world.node("program") { try await QueryProgram($0) }
      world.faults = [
        .disk(
          .slow(.milliseconds(1) ... .milliseconds(20)), of: [program.id], every: .seconds(10),
          lasting: .zero ... .seconds(10)),
        .crashes(of: [program.id], every: .seconds(40), down: .zero ... .seconds(1)),
      ]
      world.script(
        on: [program], actions: actions, pause: .zero ... .seconds(4), expectsErrors: true
      ) { program, random in
        try await program.write(&random)
        if let wrong = try await program.wrongQuery() { world.fail(wrong) }
      }
      return program
    } check: { world, program in
      guard let program = program.root else { return world.fail("the program has not started") }
      if let wrong = try await program.wrongQuery() { world.fail(wrong) }
    }
  }
}

/// The program of the node: a database, and the latest rows that each live query has delivered.
private struct QueryProgram: Sendable {
  private struct Thing: Codable, Equatable {
    var id: Int
    var size: Int
  }

  private static let migrations = [
    Migration(
      "things",
      """
      CREATE TABLE thing (id INTEGER PRIMARY KEY, size INTEGER NOT NULL, flag INTEGER NOT NULL);
      CREATE TABLE note (id INTEGER PRIMARY KEY, size INTEGER NOT NULL);
      """)
  ]

  /// The first three are followed from commit to commit, because they read one table.
  private static let queries: [SQL] = [
    "SELECT id, size FROM thing WHERE flag = 1 ORDER BY size, id DESC",
    "SELECT id, size FROM thing WHERE size > 2 ORDER BY size DESC, id",
    "SELECT id, size FROM note ORDER BY id",
    "SELECT count(*) AS id, coalesce(sum(size), 0) AS size FROM thing",
    "SELECT count(*) AS id, coalesce(sum(size), 0) AS size FROM note",
    "SELECT note.id AS id, thing.size AS size FROM note JOIN thing USING (id) ORDER BY note.id",
  ]

  private let database: SQLiteService
  private let shown: [Shown]
  /// The number of actions that have begun to write.
  private let begun = Counter()
  private let ended = Counter()

  /// The latest rows of a live query.
  private final class Shown: Sendable {
    private let contents = Mutex<[Thing]>([])
    var rows: [Thing] { contents.withLock { $0 } }
    func set(_ rows: [Thing]) { contents.withLock { $0 = rows } }
  }

  init(_ node: NodeContext) async throws {
    var configuration = SQLiteConfiguration()
    configuration.shortestFollowed = 0
    database = try await node.database(
      "things.db", migrations: Self.migrations, configuration: configuration)
    shown = Self.queries.map { _ in Shown() }
    for (query, shown) in zip(Self.queries, shown) {
      let rows = database.observe(query, as: Thing.self)
      Task { for try await rows in rows { shown.set(rows) } }
    }
  }

  /// Performs several writes.
  ///
  /// Some of them share a commit.
  func write(_ random: inout SimulationRandom) async throws {
    begun.increase()
    defer { ended.increase() }
    try await withThrowingTaskGroup { group in
      for _ in 1...Int.random(in: 1...6, using: &random) {
        let pause = random.duration(in: .zero ... .milliseconds(3))
        let isAtOnce = random.happens(0.5)
        let statements = (1...Int.random(in: 1...2, using: &random)).map { _ in
          Self.statement(&random)
        }
        group.addTask { [database] in
          if !isAtOnce { try await SimulationClock().sleep(for: pause) }
          try await database.write { transaction in
            for statement in statements { try transaction.execute(statement) }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func statement(_ random: inout SimulationRandom) -> SQL {
    let (id, size) = (Int.random(in: 1...9, using: &random), Int.random(in: 0...4, using: &random))
    let flag = Int.random(in: 0...1, using: &random)
    return switch Int.random(in: 0..<7, using: &random) {
    case 0...1: "INSERT OR REPLACE INTO thing VALUES (\(id), \(size), \(flag))"
    case 2: "UPDATE thing SET flag = 1 - flag WHERE id = \(id)"
    case 3: "UPDATE thing SET size = \(size) WHERE id < \(id)"
    case 4: "DELETE FROM thing WHERE id = \(id)"
    case 5: "INSERT OR REPLACE INTO note VALUES (\(id), \(size))"
    default: "DELETE FROM note WHERE id = \(id)"
    }
  }

  /// Waits until nothing happens, and describes a live query that shows other rows than the database.
  ///
  /// Another action can write meanwhile. Then the queries may be behind, and are not compared.
  func wrongQuery() async throws -> String? {
    let count = begun.value
    // Longer than the pause of a live query and the slow operations of its disk.
    try await SimulationClock().sleep(for: .seconds(2))
    for (query, shown) in zip(Self.queries, shown) {
      let stored = try await database.read { try $0.rows(query, as: Thing.self) }
      guard begun.value == count, ended.value == count else { return nil }
      guard shown.rows != stored else { continue }
      return "the query \(query) shows \(shown.rows), the database has \(stored)"
    }
    return nil
  }
}

@Suite struct QueryWorldTests {
  @Test func `live queries show what the database has, also after shared commits`() throws {
    try QueryWorld().simulate(0..<10)
  }
}
