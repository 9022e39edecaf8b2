import CausewayData
import Foundation
import HarborDomain
import Testing

/// Numbers and texts that a person's device never sends.
@Suite(TestStore.isAvailable) struct `The value of a stranger` {
  /// A record whose fields a body changes.
  private static func changed(_ change: (inout ActivityRecord) -> Void) -> ActivityMutation {
    var record = record("Swim", id: "new")
    change(&record)
    return .create(record)
  }

  private static func edit(
    from old: Double, to start: Double, at date: Double = 1
  ) -> ActivityMutation {
    var (text, changed) = (ActivityText(record("Row").details), ActivityText(record("Row").details))
    (text.start, changed.start) = (old, start)
    return .edit(id: "row", from: text, to: changed, at: date)
  }

  @Test(arguments: [
    changed { $0.revision = .max }, changed { $0.revision = .min }, changed { $0.revision = 0 },
    changed { $0.start = 1e308 }, changed { $0.start = -1e308 }, changed { $0.start = -1 },
    changed { $0.start = 1e11 }, changed { $0.created = 1e308 }, changed { $0.updated = -1e20 },
    changed { $0.updated = 1e11 }, changed { $0.id = "" },
    changed { $0.participants = Array(repeating: "Ana", count: 1_001) },
    changed { $0.participants = [""] }, changed { $0.host = "\u{1B}[2J" },
    edit(from: 0, to: 1e308), edit(from: 0, to: -1e308), edit(from: 0, to: 0, at: 1e308),
    edit(from: 1e308, to: 1e11), .join(id: "", person: "Ana"),
    .leave(id: String(repeating: "x", count: 1_000), person: "Ana"),
  ])
  func `is refused, and other changes of the request are applied`(
    mutation: ActivityMutation
  ) async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      let answers = try await ana.send(
        .create(record("Row", id: "row")), mutation, .join(id: "row", person: "Ben"))
      #expect(answers[1].refusal != nil)
      #expect(answers[2].refusal == nil)
      #expect(try await ana.list().map(\.id) == ["row"])
    }
  }

  @Test func `does not end the server when it was stored before it was checked`() async throws {
    let store = try await TestStore.make()
    try await Server.with(store) { server in
      let ana = try await server.member("Ana")
      var bad = record("Bad", id: "bad")
      (bad.revision, bad.start, bad.created, bad.updated) = (.max, 1e308, -1e308, 1e308)
      _ = try await ana.send(.create(record("Row", id: "bad")))
      let body = String(decoding: try JSONEncoder().encode(bad), as: UTF8.self)
      try await store.write {
        _ = try $0.execute("UPDATE record SET body = \(body) WHERE id = 'bad'")
      }
      // A device shows a date that it can show, so an edit of the title keeps that date.
      let shown = try #require(try await ana.list().first)
      #expect(shown == bad)
      let old = ActivityText(shown.activity().details)
      var new = old
      new.title = "Better"
      let answers = try await ana.send(.edit(id: "bad", from: old, to: new, at: 1))
      #expect(answers.first?.refusal == nil)
      #expect(try await ana.list().map(\.title) == ["Better"])
      #expect(try await ana.list().map(\.revision) == [1])
      new.start = Board.now.timeIntervalSince1970
      _ = try await ana.send(.edit(id: "bad", from: old, to: new, at: 1))
      #expect(try await ana.list().map(\.start) == [new.start])
      _ = try await ana.send(.delete(id: "bad"))
      #expect(try await ana.list().isEmpty)
    }
  }

  @Test(arguments: [Int.max, .min, 0, -1, Int(Int32.max)])
  func `cannot overflow a revision`(revision: Int) {
    var record: ActivityRecord? = record("Row", id: "row")
    record?.revision = revision
    Self.edit(from: 0, to: 0).apply(to: &record)
    #expect(record?.revision == 1)
  }
}
