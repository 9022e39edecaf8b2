import CausewayData
import CausewayHTTP
import Foundation
import HarborDomain
import Testing

@Suite(TestStore.isAvailable) struct `A collection of the backend` {
  @Test func `returns everything, then only what has changed`() async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      let row = record("Row")
      let answers = try await ana.send(.create(row), .create(record("Sail", id: "sail")))
      #expect(answers.map(\.refusal) == [nil, nil])
      let all = try await ana.activities.snapshot(ana.request)
      #expect(all.records.map(\.title) == ["Row", "Sail"])
      #expect(all.version == answers.last?.version)

      _ = try await ana.send(.delete(id: "sail"), .join(id: row.id, person: "Ben"))
      let changes = try await ana.activities.changes(since: all.version, ana.request)
      var joined = row
      joined.participants.append("Ben")
      #expect(
        changes
          == .changes([joined], deleted: ["sail"], version: SyncVersion(4), hasMore: false))
    }
  }

  @Test func `applies a repeated key once and answers as before`() async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      let row = record("Row")
      let changes = [
        SentChange(key: "create", mutation: ActivityMutation.create(row)),
        SentChange(key: "taken", mutation: .create(row)),
        SentChange(key: "leave", mutation: .leave(id: row.id, person: "Ana")),
      ]
      let answers = try await ana.send(changes)
      #expect(answers[1].refusal == "There is an activity with this id.")
      // Another person changes the record before the repetition arrives.
      _ = try await ana.send(.join(id: row.id, person: "Ana"))
      #expect(try await ana.send(changes) == answers)
      #expect(try await ana.list().map(\.participants) == [["Ana"]])
    }
  }

  @Test func `keeps both edits of different fields, and the later edit of one field`()
    async throws
  {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      let row = record("Row")
      _ = try await ana.send(.create(row))
      let old = ActivityText(row.details)
      var first = old
      (first.title, first.place) = ("Row far", "Pier")
      var second = old
      (second.title, second.notes) = ("Row fast", "Gloves")
      _ = try await ana.send(
        .edit(id: row.id, from: old, to: first, at: 1),
        .edit(id: row.id, from: old, to: second, at: 2))
      let stored = try #require(try await ana.list().first)
      #expect([stored.title, stored.place, stored.notes] == ["Row fast", "Pier", "Gloves"])
      #expect(stored.revision == 3)
    }
  }

  @Test(arguments: [
    (ActivityMutation.create(record(" ", id: "new")), "Give it a title"),
    (.create(record(String(repeating: "x", count: 121), id: "new")), "at most 120"),
    (.create(record("a\u{7}b", id: "new")), "control characters"),
    (.join(id: "row", person: String(repeating: "x", count: 41)), "at most 40"),
    (.join(id: "none", person: "Ben"), "taken off the board"),
    (.create(record("x", id: String(repeating: "i", count: 101))), "id"),
  ])
  func `refuses a change that breaks a rule, and applies the others of the request`(
    mutation: ActivityMutation, reason: String
  ) async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      let answers = try await ana.send(
        .create(record("Row", id: "row")), mutation, .join(id: "row", person: "Ben"))
      #expect(answers[1].refusal?.contains(reason) == true)
      #expect(try await ana.list().map(\.participants) == [["Ana", "Ben"]])
    }
  }

  @Test func `announces each version, and ends when the account leaves the group`() async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      var events = ana.network.events(
        for: NetworkRequest(.get, "/groups/\(ana.group)/activities/events")
      ).makeAsyncIterator()
      #expect(try await events.next()?.data == "0")
      _ = try await ana.send(.create(record("Row")))
      #expect(try await events.next()?.id == "1")
      let leave = SentChange(key: IdempotencyKey(), mutation: GroupMutation.leave(id: ana.group))
      let answers: [ChangeAnswer] = try await ana.network.value(
        for: Endpoint(.post, "/accounts/\(ana.account)/groups/changes", body: [leave]))
      #expect(answers.map(\.refusal) == [nil])
      await #expect(throws: NetworkError.self) {
        while try await events.next() != nil {}
        throw NetworkError(.other, message: "The stream has ended.")
      }
    }
  }

  @Test func `runs one query for all event streams after each change`() async throws {
    let store = try await TestStore.make()
    try await Server.with(store) { server in
      let ana = try await server.member("Ana")
      var streams: [NetworkEventStream.AsyncIterator] = []
      for number in 1...8 {
        let member = try await server.member("Member \(number)")
        try await store.write { transaction in
          try transaction.execute(
            """
            INSERT INTO member (scope, account, name)
            VALUES (\(Place.group(ana.group).scope), \(member.account), 'Club')
            """)
        }
        streams.append(
          member.network.events(
            for: NetworkRequest(.get, "/groups/\(ana.group)/activities/events")
          ).makeAsyncIterator())
        #expect(try await streams[number - 1].next()?.data == "0")
      }
      let before = try TestStore.fetchCount(of: store)
      for change in 1...20 {
        _ = try await ana.send(.create(record("Row")))
        for index in streams.indices {
          #expect(try await streams[index].next()?.data == "\(change)")
        }
      }
      // The 2 access queries of each of the 8 streams may run for the first time after `before`.
      #expect(try TestStore.fetchCount(of: store) - before <= 20 + 2 * 8)
    }
  }
}
