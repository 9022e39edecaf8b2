import CausewayData
import CausewaySQLite
import Foundation
import HarborDomain
import TestSupport
import Testing

/// The board of a device with the rows of the server.
@Suite(.timeLimit(.minutes(10))) struct `The board of a device` {
  private static let scope = Place.group("test").scope.rawValue

  /// Stores a row as a response of the server does.
  private static func store(
    _ id: String, title: String, hours: Double, read: Int, in transaction: any WriteTransaction
  ) throws {
    let now = Board.now.timeIntervalSince1970
    try transaction.execute(
      "DELETE FROM activity_base WHERE syncScope = \(scope) AND id = \(id)")
    try transaction.execute(
      """
      INSERT INTO activity_base (syncAccount, syncScope, syncRead, syncDeleted, id, title, start,
        host, participants, created, updated, revision)
      VALUES ('test', \(scope), \(read), 0, \(id), \(title), \(now + 3_600 * hours), 'Ana', '[]',
        \(now), \(now), 1)
      """)
  }

  @Test func `reads only the records that have changed`() async throws {
    let board = try await Board()
    try await board.store.write { transaction in
      for number in 0..<1_000 {
        try Self.store(
          "\(number)", title: "Plan", hours: Double(number), read: 1, in: transaction)
      }
    }
    var boards = board.activities.activities().makeAsyncIterator()
    var list = try await boards.next()
    #expect(list?.count == 1_000)
    // A row that was read now would have another title.
    try await board.store.write { try $0.execute("UPDATE activity_base SET title = 'Read'") }
    func read(_ list: Activities?) -> [String]? {
      list?.filter { $0.details.title == "Read" }.map(\.id)
    }
    try await board.activities.join("7", as: board.ben)
    list = try await boards.next()
    #expect(read(list) == ["7"])
    // The answer of the server, and a removal.
    try await board.store.write {
      try $0.execute("UPDATE activity_base SET syncRead = 2 WHERE id IN ('7', '999')")
      try $0.execute("DELETE FROM activity_base WHERE id = '8'")
    }
    list = try await boards.next()
    #expect(read(list) == ["7", "999"])
    try await board.activities.delete("7")
    list = try await boards.next()
    #expect(read(list) == ["999"])
    let last = try await board.create("Row", hours: 0.5)
    list = try await boards.next()
    #expect(list?.count == 999 && list?.contains { $0.id == last.id } == true)
  }

  @Test(arguments: 0..<UInt64(scaled(10)))
  func `is the stored board after each change`(seed: UInt64) async throws {
    let board = try await Board()
    var random = SeededRandom(seed: seed)
    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    var boards = board.activities.activities().makeAsyncIterator()
    var shown = try await boards.next() ?? []
    func byBytes(_ left: Activity, _ right: Activity) -> Bool {
      left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
    }
    for read in 1..<20 {
      let known = try await board.list().map(\.id)
      let id = known.randomElement(using: &random) ?? "none"
      switch number(0..<6) {
      case 0: try await board.create("New \(read)", hours: Double(number(1..<9)))
      case 1 where known.contains(id): try await board.activities.join(id, as: board.ben)
      case 2: try await board.activities.delete(id)
      default:
        // Two ids that are equal for Swift, but not for the database.
        let ids = (0..<number(1..<9)).map { _ in
          ["a", "b", "c", "é", "e\u{301}"][number(0..<5)]
        }
        let hours = ids.map { _ in Double(number(0..<4)) }
        try await board.store.write { transaction in
          for (id, hours) in zip(ids, hours) {
            try Self.store(
              id, title: "Plan \(read)", hours: hours, read: read, in: transaction)
          }
          try transaction.execute(
            "DELETE FROM activity_base WHERE syncRead < \(read - 9)")
        }
      }
      let expected = try await board.list().sorted(by: byBytes)
      // Another reading, which the change may not have reached yet.
      while shown.sorted(by: byBytes) != expected {
        guard let next = try await boards.next() else { throw CancellationError() }
        shown = next
      }
    }
  }
}
