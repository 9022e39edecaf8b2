import CausewayData
import CausewayNetwork
import CausewaySyncServer
import Foundation
import TestSupport
import Testing

@testable import HarborBackend
@testable import HarborDomain

/// The numbers of activities in the list of people.
@Suite(TestStore.isAvailable) struct `The list of people` {
  private func counts(of group: Searched) async throws -> [String: Int] {
    for try await counts in group.backend.peopleCounts(of: group.group) {
      return Dictionary(counts.map { ($0.key.text, $0.value) }) { first, _ in first }
    }
    throw CancellationError()
  }

  /// Writes rows without the table of people, as an earlier version of Harbor does.
  private func count(_ query: SQL, in store: any PersistenceService) async throws -> Int? {
    try await store.read { try $0.row(query, as: Int.self) }
  }

  @Test func `counts each person once for an activity, whatever the spelling`() async throws {
    try await Searched.with { group in
      #expect(try await counts(of: group) == [:])
      var row = record("Row", id: "row", host: "Ana")
      row.participants = ["ANA", "Ben", "e\u{301}va", "Éva", "Nul\0"]
      try await group.put([row, record("Swim", id: "swim", host: "Ben")])
      try await group.put(body: "{", "broken")
      #expect(try await counts(of: group) == ["Ana": 1, "Ben": 2, "e\u{301}va": 1, "Nul": 1])
      // The newest spelling stays.
      row.host = "ana"
      row.participants = []
      try await group.put([row])
      #expect(try await counts(of: group) == ["ana": 1, "Ben": 1])
      try await group.put(body: "7", "row")
      try await group.delete("swim")
      #expect(try await counts(of: group) == [:])
      #expect(
        try await count("SELECT count(*) FROM activity_people", in: group.store) == 0)
    }
  }

  @Test func `reads only the activities that have changed`() async throws {
    try await Searched.with { group in
      try await group.put((0..<1_200).map { record("Plan \($0)", id: "\($0)", host: "Ana") })
      #expect(try await counts(of: group) == ["Ana": 1_200])
      // Each activity that was read now would be counted for another person.
      let other = try StoredRecords.encoded(record("Plan", host: "Zoe"))
      try await group.store.write {
        try $0.execute("UPDATE record SET body = \(other)")
        try $0.execute("UPDATE activity_people SET names = '[\"Zoe\"]' WHERE id <> '7'")
      }
      #expect(try await counts(of: group) == ["Ana": 1_200])
      try await group.put([record("Plan", id: "7", host: "Ben"), record("Row", host: "Ben")])
      #expect(try await counts(of: group) == ["Ana": 1_199, "Ben": 2])
    }
  }

  @Test(arguments: 0..<UInt64(scaled(20)))
  func `has the numbers of the whole board, after each change`(seed: UInt64) async throws {
    try await Searched.with { group in
      let other = Searched(group.store, group: "other")
      var random = SeededRandom(seed: seed)
      func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
      let names = ["Ana", "ana", "Ben", "BEN", "Ça", "C\u{327}a", "Dan", "Éva", ""]
      var all: [String: ActivityRecord] = [:]
      for step in 0..<20 {
        for _ in 0..<number(0..<4) {
          let id = "\(number(0..<12))"
          guard number(0..<4) > 0 else {
            all[id] = nil
            try await group.put(body: number(0..<2) == 0 ? nil : "[", id)
            continue
          }
          var row = record("Plan", id: id, host: names[number(0..<names.count)])
          row.participants = (0..<number(0..<5)).map { _ in names[number(0..<names.count)] }
          all[id] = row
          try await group.put([row])
        }
        try await other.put([record("Plan \(step)", id: "\(step)", host: "Ana")])
        if step % 3 == 0 { continue }
        var expected = PeopleOfBoard()
        expected.become(Activities(all.values.map { $0.activity() }))
        for try await counts in group.backend.peopleCounts(of: group.group) {
          #expect(counts == expected.counts)
          break
        }
      }
      #expect(try await counts(of: other) == ["Ana": 20])
    }
  }

  @Test func `follows changes in their transactions, and changes of the names`() async throws {
    let store = try await TestStore.make()
    try await Server.with(store) { server in
      let ana = try await server.member("Ana")
      let group = Searched(store, group: ana.group)
      _ = try await ana.send(.create(record("Row", id: "row")), .create(record("Swim")))
      var following = group.backend.peopleCounts(of: ana.group).makeAsyncIterator()
      #expect(try await following.next() == [PersonName(stored: "Ana"): 2])
      let scope = "groups/\(ana.group)"
      let stored: SQL = "SELECT activities FROM person_count WHERE scope = \(scope)"
      _ = try await ana.send(.delete(id: "row"))
      #expect(try await count(stored, in: store) == 1)
      #expect(try await following.next() == [PersonName(stored: "Ana"): 1])
      let rename = SentChange(
        key: IdempotencyKey(), mutation: PersonMutation.rename(from: "Ana", to: "Zoe"))
      let path: NetworkPath = "/groups/\(ana.group)/people/changes"
      try await ana.network.call(Endpoint(.post, path, body: [rename]))
      #expect(try await following.next() == [PersonName(stored: "Zoe"): 1])
      #expect(try await count("SELECT count(*) FROM person_count", in: store) == 1)
    }
  }

  @Test func `counts rows from before the table, and rows of earlier versions`() async throws {
    let name = "count the activities of people"
    let store = try await TestStore.make { $0.prefix { $0.name != name } }
    let group = Searched(store)
    try await group.put((0..<1_100).map { record("Plan \($0)", id: "\($0)", host: "Ana") })
    try await store.write { transaction in
      for step in TestStore.migrations.drop(while: { $0.name != name }) {
        try step.apply(in: transaction)
      }
    }
    #expect(try await counts(of: group) == ["Ana": 1_100])
    // An earlier version does not change the table; the next reading does.
    try await group.put((300..<600).map { record("Trip \($0)", id: "\($0)", host: "Ben") })
    #expect(try await counts(of: group) == ["Ana": 800, "Ben": 300])
    // A copy of an older database begins with earlier versions.
    try await store.write {
      _ = try $0.execute("UPDATE feed SET version = 7, counted = 900")
      _ = try $0.execute("DELETE FROM record WHERE version > 7")
    }
    #expect(try await counts(of: group) == ["Ana": 7])
    try await store.close()
  }

  @Test func `of large groups is ready soon after the start`() async throws {
    try await Searched.with { group in
      try await group.put((0..<300).map { record("Plan \($0)", id: "\($0)", host: "Ana") })
      try await group.backend.makeSearchIndexes(ofGroupsLargerThan: 100) { _ in }
      let stored: SQL = "SELECT activities FROM person_count"
      #expect(try await count(stored, in: group.store) == 300)
    }
  }
}
