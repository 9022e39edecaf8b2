import CausewayData
import CausewayHTTP
import CausewaySyncServer
import CausewayWeb
import Foundation
import HarborAccounts
import HarborDomain
import Testing

@testable import HarborBackend

/// Organisers and members.
@Suite(TestStore.isAvailable, .timeLimit(.minutes(5))) struct `The roles of members` {
  private func status(_ member: Member, _ method: HTTPMethod, _ path: NetworkPath) async throws
    -> Int?
  {
    do {
      _ = try await member.network.response(for: NetworkRequest(method, path))
      return nil
    } catch let error as NetworkError {
      return error.status
    }
  }

  @Test func `let nobody found again a group that everybody has left`() async throws {
    try await Server.with { server in
      let (ana, eve) = (try await server.member("Ana"), try await server.member("Eve"))
      _ = try await ana.send(.create(record("Row")))
      func change(_ member: Member, _ mutation: GroupMutation) async throws -> ChangeAnswer? {
        let answers: [ChangeAnswer] = try await member.network.value(
          for: Endpoint(
            .post, "/accounts/\(member.account)/groups/changes",
            body: [SentChange(key: IdempotencyKey(), mutation: mutation)]))
        return answers.first
      }
      #expect(try await change(ana, .leave(id: ana.group))?.refusal == nil)
      let again = try await change(eve, .found(GroupRecord(id: ana.group, name: "Mine")))
      #expect(again?.refusal?.contains("has ended") == true)
    }
  }

  @Test func `let members change their own activities, and organisers all`() async throws {
    try await Server.with { server in
      let (ana, ben) = try await server.club()
      let (row, swim) = (record("Row", id: "row"), record("Swim", id: "swim", host: "Ben"))
      _ = try await ana.send(.create(row))
      _ = try await ben.send(.create(swim))
      func edit(_ record: ActivityRecord) -> ActivityMutation {
        var text = ActivityText(record.details)
        text.title += " slowly"
        return .edit(
          id: record.id, from: ActivityText(record.details), to: text, at: record.updated)
      }
      let refused = try await ben.send(edit(row), .delete(id: "row"))
      for answer in refused {
        #expect(answer.refusal?.contains("Only Ana and the organisers") == true)
      }
      #expect(try await ben.send(edit(swim)).map(\.refusal) == [nil])
      #expect(try await ana.send(edit(row), .delete(id: "swim")).map(\.refusal) == [nil, nil])
      #expect(try await ana.list().map(\.title) == ["Row slowly"])
    }
  }

  @Test func `are given by organisers, who also remove members`() async throws {
    try await Server.with { server in
      let (ana, ben) = try await server.club()
      _ = try await ana.send(.create(record("Row", id: "row")))
      _ = try await ben.send(.join(id: "row", person: "Ben"))
      let members: NetworkPath = "/groups/\(ana.group)/members/\(ana.account)"
      let organiser: NetworkPath = "/groups/\(ana.group)/organisers/\(ben.account)"
      #expect(try await status(ben, .delete, members) == 403)
      #expect(try await status(ben, .post, organiser) == 403)
      let stranger = try await server.member("Zoe")
      #expect(try await status(stranger, .delete, members) == 404)
      #expect(try await status(ana, .delete, "/groups/\(ana.group)/members/\(ben.account)") == nil)
      #expect(try await ana.list().map(\.participants) == [["Ana"]])
      #expect(try await status(ben, .get, "/groups/\(ana.group)/activities") == 404)
      let groups: CollectionPage<GroupRecord> = try await ben.network.value(
        for: Endpoint(.get, "/accounts/\(ben.account)/groups"))
      #expect(!groups.records.contains { $0.id == ana.group })
    }
  }

  @Test func `are not given back by an invitation from before the removal`() async throws {
    try await Server.with { server in
      let (ana, ben) = try await server.club()
      let code: Backend.Invitation = try await ben.network.value(
        for: Endpoint(.post, "/groups/\(ana.group)/invitations"))
      func accept(_ code: Backend.Invitation) async throws {
        try await ben.network.call(Endpoint(.post, "/invitations/accept", body: code))
      }
      let path: NetworkPath = "/groups/\(ana.group)/members/\(ben.account)"
      #expect(try await status(ana, .delete, path) == nil)
      await #expect(throws: NetworkError.self) { try await accept(code) }
      // The removal of an account that is no member changes nothing.
      let new: Backend.Invitation = try await ana.network.value(
        for: Endpoint(.post, "/groups/\(ana.group)/invitations"))
      #expect(try await status(ana, .delete, path) == 404)
      #expect(try await status(ana, .delete, "/groups/\(ana.group)/members/random") == 404)
      try await accept(new)
      #expect(try await status(ben, .get, "/groups/\(ana.group)/activities") == nil)
    }
  }

  @Test func `end with the membership, and nobody takes over the activities`() async throws {
    try await Server.with { server in
      let (ana, ben) = try await server.club()
      _ = try await ana.send(.create(record("Row", id: "row")))
      let created = try await ben.send(
        .create(record("Swim", id: "swim", host: "Benno")), .join(id: "row", person: "Bert"))
      #expect(created.map(\.refusal) == [nil, nil])
      #expect(
        try await status(ana, .delete, "/groups/\(ana.group)/members/\(ben.account)") == nil)
      let cora = try await server.joining("Cora", ana)
      // Benno hosts an activity, and Bert does not.
      let answers = try await cora.send(
        .join(id: "row", person: "Benno"), .delete(id: "swim"), .join(id: "row", person: "Bert"))
      #expect(answers.map { $0.refusal == nil } == [false, false, true])
      #expect(answers.first?.refusal?.contains("Only organisers") == true)
      let taken = try await ana.send(.join(id: "row", person: "Benno"), .delete(id: "swim"))
      #expect(taken.map(\.refusal) == [nil, nil])
    }
  }

  @Test func `can remove the activities to which nobody else comes`() async throws {
    try await Server.with { server in
      let (ana, ben) = try await server.club()
      for number in 0..<5 {
        _ = try await ben.send(.create(record("Spam", id: "spam \(number)", host: "Ben")))
      }
      _ = try await ana.send(.create(record("Row", id: "row")), .join(id: "spam 4", person: "Ana"))
      _ = try await ben.send(.join(id: "row", person: "Ben"))
      var removal = NetworkRequest(.delete, "/groups/\(ana.group)/members/\(ben.account)")
      removal.query = [.init("activities", "remove")]
      _ = try await ana.network.response(for: removal)
      let left = try await ana.list().sorted { $0.id < $1.id }
      #expect(left.map(\.id) == ["row", "spam 4"])
      #expect(left.map(\.participants) == [["Ana"], ["Ana"]])
    }
  }

  @Test func `give an account that returns its own activities back`() async throws {
    try await Server.with { server in
      let (ana, ben) = try await server.club()
      _ = try await ben.send(.create(record("Swim", id: "swim", host: "Ben")))
      #expect(
        try await status(ana, .delete, "/groups/\(ana.group)/members/\(ben.account)") == nil)
      let code: Backend.Invitation = try await ana.network.value(
        for: Endpoint(.post, "/groups/\(ana.group)/invitations"))
      try await ben.network.call(Endpoint(.post, "/invitations/accept", body: code))
      #expect(try await ben.send(.delete(id: "swim")).map(\.refusal) == [nil])
    }
  }

  @Test func `pass to the oldest member when the last organiser leaves`() async throws {
    try await Server.with { server in
      let (ana, ben) = try await server.club()
      let cora = try await server.joining("Cora", ana)
      let leave = SentChange(key: IdempotencyKey(), mutation: GroupMutation.leave(id: ana.group))
      try await ana.network.call(
        Endpoint(.post, "/accounts/\(ana.account)/groups/changes", body: [leave]))
      #expect(
        try await status(cora, .delete, "/groups/\(ana.group)/members/\(ben.account)") == 403)
      #expect(
        try await status(ben, .delete, "/groups/\(ana.group)/members/\(cora.account)") == nil)
    }
  }

  @Test func `let organisers end all invitations, and members their own`() async throws {
    let store = try await TestStore.make()
    try await Server.with(store) { server in
      let (ana, ben) = try await server.club()
      struct Code: Codable, Sendable { var code: String }
      func invite(_ member: Member) async throws -> String {
        let code: Code = try await member.network.value(
          for: Endpoint(.post, "/groups/\(ana.group)/invitations"))
        return try Secret.hash(code.code)
      }
      let (first, second) = (try await invite(ana), try await invite(ben))
      func path(_ id: String) -> NetworkPath { "/groups/\(ana.group)/invitations/\(id)" }
      #expect(try await status(ben, .delete, path(first)) == 403)
      #expect(try await status(ben, .delete, path(second)) == nil)
      #expect(try await status(ana, .delete, path(first)) == nil)
      let rest: SQL = "SELECT count(*) FROM invitation WHERE hash IN (\(first), \(second))"
      #expect(try await store.read { try $0.row(rest, as: Int.self) } == 0)
    }
  }
}
