import CausewayData
import CausewaySyncServer
import HarborDomain
import TestSupport
import Testing

@testable import HarborBackend

/// What a change of an activity costs while the tables of its group are made, and after it.
struct `The tables of a large group` {
  /// The numbers of the pages of SQLite's index; a page that a change writes has a new one.
  private func pages(in store: any PersistenceService) async throws -> Set<Int64> {
    try await Set(
      store.read { try $0.rows("SELECT id FROM activity_search_data", as: Int64.self) })
  }

  @Test(arguments: [true, false])
  func `let each change write a few pages of the index`(inSmallParts: Bool) async throws {
    try await Searched.with { group in
      var random = SeededRandom(seed: 1)
      func activity(_ number: Int) -> ActivityRecord {
        var row = record("Plan \(number)", id: "\(number)")
        row.start += Double(number)
        row.notes = (0..<20).map { _ in "\(UInt64.random(in: 0..<1 << 30, using: &random))" }
          .joined(separator: " ")
        return row
      }
      try await group.put((0..<600).map(activity))
      if inSmallParts {
        try await group.backend.makeSearchIndexes(ofGroupsLargerThan: 100, part: 16) { _ in }
      } else {
        #expect(try await group.results(of: "plan").total == 600)
      }
      var (known, largest) = (try await pages(in: group.store), 0)
      #expect(known.count > 50)
      for number in 0..<300 {
        try await group.put([activity(number % 25)])
        try await group.store.write { try ActivityTables.follow(.group(group.group), in: $0) }
        let now = try await pages(in: group.store)
        largest = max(largest, now.subtracting(known).count)
        known = now
      }
      // FTS5 by itself writes more than 70 pages with one of these changes.
      #expect(largest <= 20)
      #expect(try await group.results(of: "plan").total == 600)
    }
  }

  @Test func `are made in small parts, with a pause after each`() async throws {
    try await Searched.with { group in
      try await group.put((0..<200).map { record("Plan \($0)", id: "\($0)") })
      let progress: SQL = "SELECT coalesce(counted, 0) + coalesce(searched, 0) FROM feed"
      var steps: [Int] = []
      try await group.backend.makeSearchIndexes(ofGroupsLargerThan: 100, part: 20) { _ in
        try await steps.append(group.store.read { try $0.row(progress, as: Int.self) } ?? 0)
      }
      let parts = zip(steps, [0] + steps).map { $0 - $1 }
      #expect(parts.first == MakingPace.smallest && parts.allSatisfy { (1...20).contains($0) })
      #expect(steps.last == 400)
    }
  }
}

/// The sizes of the parts of a table, and the pauses between them.
struct `The pace of making a table` {
  @Test func `adapts the parts to their times, between two limits`() {
    var pace = MakingPace(largest: 100)
    #expect(pace.part == 16)
    var parts: [Int] = []
    for milliseconds in [1, 1, 1, 1, 3, 5, 5, 5, 90, 2] {
      let time = Duration.milliseconds(milliseconds)
      #expect(pace.pause(after: time) == time * 3)
      parts.append(pace.part)
    }
    #expect(parts == [32, 64, 100, 100, 100, 50, 25, 16, 16, 16])
  }

  @Test func `has no part that is larger than the largest`() {
    var pace = MakingPace(largest: 5)
    for time in [Duration.zero, .seconds(1), .zero] {
      #expect(pace.part == 5)
      _ = pace.pause(after: time)
    }
  }
}
