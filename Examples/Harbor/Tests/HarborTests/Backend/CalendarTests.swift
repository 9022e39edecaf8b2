import CausewayData
import CausewayWeb
import Foundation
import HarborDomain
import Testing

@testable import HarborBackend

/// Calendars of people and groups, whose addresses are secret.
@Suite(TestStore.isAvailable, .timeLimit(.minutes(10))) struct `Calendars` {
  private func make(_ member: Member, group: String? = nil) async throws -> String {
    let made: [String: String] = try await member.network.value(
      for: Endpoint(.post, "/calendars", body: ["group": group]))
    return try #require(made["path"])
  }

  /// The titles of a feed, which needs no sign-in; `nil` if there is none.
  private func titles(_ path: String, on server: Server) async throws -> [String]? {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let answer: NetworkResponse
    do {
      answer = try await server.guest.response(for: NetworkRequest(.get, "/calendar/\(name)"))
    } catch let error as NetworkError where error.status == 404 {
      return nil
    }
    #expect(answer.status == 200 && answer.mediaType == "text/calendar")
    return String(decoding: answer.body, as: UTF8.self).split(separator: "\r\n")
      .filter { $0.hasPrefix("SUMMARY:") }.map { String($0.dropFirst(8)) }.sorted()
  }

  @Test func `show what an account hosts or joins, or all of a group`() async throws {
    try await Server.with(now: { Board.now }) { server in
      let (ana, ben) = try await server.club()
      let (row, swim) = (record("Row"), record("Swim"))
      _ = try await ana.send(.create(row), .create(swim))
      _ = try await ben.send(.create(record("Sing", host: "Ben")), .join(id: row.id, person: "Ben"))
      let (own, all) = (try await make(ben), try await make(ben, group: ben.group))
      #expect(try await titles(own, on: server) == ["Row", "Sing"])
      #expect(try await titles(all, on: server) == ["Row", "Sing", "Swim"])
      _ = try await ana.send(.delete(id: row.id))
      #expect(try await titles(own, on: server) == ["Sing"])
    }
  }

  @Test func `have an address that ends with a new one, and with the membership`() async throws {
    let store = try await TestStore.make()
    try await Server.with(store, now: { Board.now }) { server in
      let (ana, ben) = try await server.club()
      _ = try await ana.send(.create(record("Row")))
      let first = try await make(ben, group: ben.group)
      let other = try await make(ana, group: ana.group)
      let second = try await make(ben, group: ben.group)
      #expect(try await titles(first, on: server) == nil)
      #expect(try await titles(second, on: server) == ["Row"])
      try await ana.network.call(
        Endpoint(.delete, "/groups/\(ana.group)/members/\(ben.account)"))
      #expect(try await titles(second, on: server) == nil)
      #expect(try await titles(other, on: server) == ["Row"])
      // Nobody gets the calendar of a foreign group.
      await #expect(throws: NetworkError.self) { try await make(ben, group: ben.group) }
      #expect(try await titles("/calendar/\(ben.group)", on: server) == nil)
      // A member who comes back gets a new one.
      let group = GroupRecord(id: ben.group, name: "Club")
      try await store.write { transaction in
        try Members.add(ben.account, to: group, in: transaction)
      }
      #expect(try await titles(second, on: server) == nil)
    }
  }

  @Test func `are answered only a few times in a minute`() async throws {
    var quotas = Quotas()
    quotas[.uploads] = 2
    try await Server.with(quotas: quotas, now: { Board.now }) { server in
      let ana = try await server.member("Ana")
      let path = try await make(ana)
      for _ in 0..<2 { #expect(try await titles(path, on: server) == []) }
      let refused = await #expect(throws: NetworkError.self) { try await titles(path, on: server) }
      #expect(refused?.status == 429)
    }
  }
}

@Suite struct `The end of an activity` {
  private func draft(_ hours: Double) throws -> ActivityDetails {
    try ActivityDraft(title: "Row", start: Board.now, end: Board.now + hours * 3_600)
      .validated(at: Board.now)
  }

  @Test(arguments: [-1, 0, 24 * 400]) func `is after its start`(hours: Double) throws {
    let problems = try #require(throws: ActivityProblems.self) { try draft(hours) }
    #expect(problems[.end]?.contains("after the start") == true)
  }

  @Test func `is kept by a device of an earlier version that edits the title`() throws {
    var record: ActivityRecord? = record("Row")
    record?.details = try draft(2)
    // Such a device neither reads nor sends the end.
    let sent = """
      {"edit":{"id":"a","at":5,"from":{"title":"Row","start":\(Board.now.timeIntervalSince1970)},
      "to":{"title":"Swim","start":\(Board.now.timeIntervalSince1970)}}}
      """
    let edit = try JSONDecoder().decode(ActivityMutation.self, from: Data(sent.utf8))
    edit.apply(to: &record)
    #expect(record?.title == "Swim" && record?.details.end == Board.now + 7_200)
    // A start that is moved behind the end removes it.
    let later = ActivityDetails(title: "Swim", place: nil, notes: nil, start: Board.now + 9_000)
    let before = try #require(record?.details)
    ActivityMutation.edit(
      id: "a", from: ActivityText(before),
      to: ActivityText(
        ActivityDetails(
          title: "Swim", place: nil, notes: nil, start: later.start, end: before.end)),
      at: 6
    ).apply(to: &record)
    #expect(record?.details == later)
  }

  @Test func `belongs to the stored start, whatever start an edit names`() throws {
    let stored = record("Row").start
    let edits: [(start: Double, finish: Double, kept: Double?)] = [
      (1e300, 1e300, nil), (5, 9e18, nil), (5, stored + 3_600, stored + 3_600),
    ]
    for (start, finish, kept) in edits {
      var record: ActivityRecord? = record("Row")
      let sent = """
        {"edit":{"id":"a","at":5,"from":{"title":"Row","start":\(start)},
        "to":{"title":"Row","start":\(start),"finish":\(finish)}}}
        """
      try JSONDecoder().decode(ActivityMutation.self, from: Data(sent.utf8)).apply(to: &record)
      #expect(record?.finish == kept && record?.start == stored)
    }
  }

  @Test func `does not make an activity long when an earlier device moves the start`() throws {
    var record: ActivityRecord? = record("Row")
    record?.details = try draft(2)
    let start = Board.now.timeIntervalSince1970
    let sent = """
      {"edit":{"id":"a","at":5,"from":{"title":"Row","start":\(start)},
      "to":{"title":"Row","start":\(start - 400 * 86_400)}}}
      """
    try JSONDecoder().decode(ActivityMutation.self, from: Data(sent.utf8)).apply(to: &record)
    // Otherwise the next edit of the title would be refused.
    #expect(record?.finish == nil && record?.start == start - 400 * 86_400)
  }

  @Test func `is stored on a device and shown again`() async throws {
    let board = try await Board()
    try await board.activities.create(draft(2), host: board.ana)
    let stored = try #require(try await board.list().first)
    #expect(stored.details == (try draft(2)))
  }
}
