import CausewayData
import CausewayHTTP
import Foundation
import HarborDomain
import Testing

/// Several backends, each with its own connections, as on several machines.
@Suite(TestStore.isAvailable, .timeLimit(.minutes(5)))
struct `Backends that share a PostgreSQL database` {
  private func withTwo(_ body: (Server, Server) async throws -> Void) async throws {
    let url = try await TestServer.shared.value.makeSchema()
    try await Server.with(try await TestStore.open(url)) { first in
      try await Server.with(try await TestStore.open(url)) { second in
        try await body(first, second)
      }
    }
  }

  @Test func `accept the tokens of each other, and the end of a session`() async throws {
    try await withTwo { first, second in
      let ana = try await first.member("Ana")
      let there = second.member(ana)
      #expect(try await there.list() == [])
      try await ana.network.call(Endpoint(.delete, "/tokens"))
      let error = await #expect(throws: NetworkError.self) { try await there.list() }
      #expect(error?.status == 401)
    }
  }

  @Test func `apply a key once, also when both receive it at the same time`() async throws {
    try await withTwo { first, second in
      let ana = try await first.member("Ana")
      let there = second.member(ana)
      for number in 1...10 {
        let change = [
          SentChange(key: IdempotencyKey(), mutation: ActivityMutation.create(record("\(number)")))
        ]
        async let here = ana.send(change)
        let answers = try await [there.send(change), here]
        // A second application would be refused, because the activity exists.
        #expect(answers[0] == answers[1])
        #expect(answers[0].map(\.version) == [SyncVersion(Int64(number))])
      }
    }
  }

  @Test func `announce the changes of each other`() async throws {
    try await withTwo { first, second in
      let ana = try await first.member("Ana")
      let there = second.member(ana)
      var events = there.network.events(
        for: NetworkRequest(.get, "/groups/\(ana.group)/activities/events")
      ).makeAsyncIterator()
      #expect(try await events.next()?.data == "0")
      for number in 1...5 {
        _ = try await ana.send(.create(record("Row")))
        // Commits that follow each other quickly can share an event.
        while let event = try await events.next(), event.data != "\(number)" {}
      }
    }
  }

  @Test func `serve the invitations, pictures and links of each other`() async throws {
    struct Code: Codable, Sendable { var code: String }
    struct Name: Decodable, Sendable { var id: String }
    try await withTwo { first, second in
      let ana = try await first.member("Ana")
      let ben = try await second.member("Ben")
      let code: Code = try await ana.network.value(
        for: Endpoint(.post, "/groups/\(ana.group)/invitations"))
      let group: GroupRecord = try await ben.network.value(
        for: Endpoint(.post, "/invitations/accept", body: code))
      #expect(group.id == ana.group)

      let picture =
        ([
          0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0,
          0, 9, 0, 0, 0, 9, 8, 2, 0, 0, 0, 1, 2, 3, 4, 0, 0, 1, 0, 0x49, 0x44, 0x41, 0x54,
        ] + Array(0...255) + [1, 2, 3, 4]) as [UInt8]
      var upload = NetworkRequest(.post, "/groups/\(ana.group)/pictures")
      upload.body = .bytes(picture, type: "image/png")
      let name = try JSONDecoder().decode(
        Name.self, from: Data(try await ana.network.response(for: upload).body))
      let path: NetworkPath = "/groups/\(ana.group)/pictures/\(name.id)"
      #expect(try await ben.network.response(for: .init(.get, path)).body == picture)

      let link = LinkRecord(id: "boat", target: "https://boat.example/a", created: 1)
      let add = [SentChange(key: IdempotencyKey(), mutation: LinkMutation.add(link))]
      let answers: [ChangeAnswer] = try await ana.network.value(
        for: Endpoint(.post, "/accounts/\(ana.account)/links/changes", body: add))
      #expect(answers.map(\.refusal) == [nil])
      let taken: [ChangeAnswer] = try await ben.network.value(
        for: Endpoint(
          .post, "/accounts/\(ben.account)/links/changes",
          body: [
            SentChange(key: IdempotencyKey(), mutation: LinkMutation.add(link))
          ]))
      #expect(taken.first?.refusal?.contains("taken") == true)
    }
  }
}

extension Server {
  /// The same account, with requests to this backend.
  func member(_ other: Member) -> Member {
    var member = other
    member.network = network(other.tokens)
    return member
  }
}
