import CausewayData
import CausewayHTTP
import CausewaySyncServer
import CausewayWeb
import Foundation
import HarborAccounts
import HarborDomain
import Testing

@testable import HarborBackend

/// A person of a group is an account.
@Suite(TestStore.isAvailable, .timeLimit(.minutes(5))) struct `The names of accounts` {
  /// Ana and Ben in one group, with an activity of Ana that Ben has joined.
  private func with(_ body: (Server, _ ana: Member, _ ben: Member) async throws -> Void)
    async throws
  {
    try await Server.with { server in
      let (ana, ben) = try await server.club()
      _ = try await ana.send(.create(record("Row", id: "row")))
      #expect(try await ben.send(.join(id: "row", person: "Ben")).map(\.refusal) == [nil])
      try await body(server, ana, ben)
    }
  }

  private func people(_ mutations: PersonMutation..., by member: Member) async throws -> [String?] {
    let changes = mutations.map { SentChange(key: IdempotencyKey(), mutation: $0) }
    let answers: [ChangeAnswer] = try await member.network.value(
      for: Endpoint(.post, "/groups/\(member.group)/people/changes", body: changes))
    return answers.map(\.refusal)
  }

  @Test func `let nobody join, leave, host or have a picture for another`() async throws {
    try await with { _, ana, ben in
      let answers = try await ben.send(
        .leave(id: "row", person: "ANA"), .join(id: "row", person: "Ana"),
        .create(record("Swim")))
      for answer in answers { #expect(answer.refusal?.contains("is another person") == true) }
      #expect(try await ana.send(.leave(id: "row", person: "Ben")).first?.refusal != nil)
      #expect(try await people(.setPicture(name: "Ana", picture: nil), by: ben) != [nil])
      #expect(try await ana.list().map(\.participants) == [["Ana", "Ben"]])
      #expect(try await ben.send(.leave(id: "row", person: "Ben")).map(\.refusal) == [nil])
      #expect(try await ana.list().map(\.participants) == [["Ana"]])
    }
  }

  @Test func `that belong to nobody are used by the first account that takes them`() async throws {
    try await with { _, ana, ben in
      let first = try await ben.send(.join(id: "row", person: "Cora"))
      let second = try await ana.send(.join(id: "row", person: "Cora"))
      #expect((first + second).map { $0.refusal == nil } == [true, false])
    }
  }

  @Test func `are at most twenty for an account in a group`() async throws {
    try await with { _, _, ben in
      let answers = try await ben.send(
        (1...20).map {
          SentChange(key: IdempotencyKey(), mutation: .join(id: "row", person: "P \($0)"))
        })
      #expect(answers.dropLast().allSatisfy { $0.refusal == nil })
      #expect(answers.last?.refusal?.contains("the limit is 20") == true)
    }
  }

  @Test func `are renamed everywhere, and nobody is orphaned`() async throws {
    try await with { server, ana, ben in
      _ = try await ben.send(
        .create(record("Swim", id: "swim", host: "Ben")), .join(id: "swim", person: "Benno"))
      #expect(try await people(.rename(from: "Ben", to: "Ana"), by: ben) != [nil])
      #expect(try await people(.rename(from: "Ben", to: "Benno"), by: ben) == [nil])
      let list = try await ana.list().sorted { $0.id < $1.id }
      #expect(list.map(\.participants) == [["Ana", "Benno"], ["Benno"]])
      #expect(list.map(\.host) == ["Ana", "Benno"])
      let answers = try await ben.send(.leave(id: "row", person: "Benno"), .delete(id: "swim"))
      #expect(answers.map(\.refusal) == [nil, nil])
      // The old name is free.
      #expect(try await ana.send(.join(id: "row", person: "Ben")).map(\.refusal) == [nil])
    }
  }

  /// The id of a picture that a member has uploaded.
  private func picture(by member: Member) async throws -> String {
    var upload = NetworkRequest(.post, "/groups/\(member.group)/pictures")
    upload.body = .bytes(PictureFile.png, type: "image/png")
    struct Stored: Decodable { var id: String }
    let answer = try await member.network.response(for: upload)
    return try JSONDecoder().decode(Stored.self, from: Data(answer.body)).id
  }

  private func pictures(_ member: Member) async throws -> [PersonRecord] {
    try await member.network.value(
      for: Endpoint<CollectionPage<PersonRecord>>(.get, "/groups/\(member.group)/people")
    ).records
  }

  @Test func `are renamed by their accounts only, and keep their pictures`() async throws {
    let store = try await TestStore.make()
    try await Server.with(store) { server in
      let (ana, ben) = try await server.club()
      let picture = try await picture(by: ben)
      #expect(
        try await people(.setPicture(name: "Ben", picture: picture), by: ben) == [nil])
      let answer = try await people(.rename(from: "Ben", to: "X"), by: ana)
      #expect(answer.first??.contains("is another person") == true)
      // A name that belongs to nobody keeps its picture too.
      let other = try await self.picture(by: ana)
      _ = try await people(.setPicture(name: "Dora", picture: other), by: ana)
      #expect(try await people(.rename(from: "Dora", to: "Y"), by: ben) == [nil])
      // Ana has used Ben's name elsewhere.
      let backend = Backend(store: store, configuration: .init(port: 0))
      try await backend.rename("Ben", to: "Anna", as: ana.account)
      let ids = try await pictures(ana).map(\.id).sorted()
      #expect(ids.contains("ben") && ids.contains("dora"))
    }
  }

  @Test func `are renamed at most a hundred times a minute`() async throws {
    let store = try await TestStore.make()
    let now = Date()
    try await Server.with(store, now: { now }) { server in
      let ana = try await server.member("Ana")
      let changes = (1...100).map { _ in
        SentChange(key: IdempotencyKey(), mutation: PersonMutation.rename(from: "X", to: "Y"))
      }
      let path: NetworkPath = "/groups/\(ana.group)/people/changes"
      // The foundation of the group was a change too.
      await #expect(throws: NetworkError.self) {
        try await ana.network.call(Endpoint(.post, path, body: changes))
      }
      try await ana.network.call(Endpoint(.post, path, body: Array(changes.prefix(99))))
      let backend = Backend(
        store: store, configuration: .init(port: 0), quotas: Self.few, now: { now })
      try await backend.rename("Ana", to: "Anna", as: ana.account)
      await #expect(throws: Problem.self) {
        try await backend.rename("Anna", to: "Ana", as: ana.account)
      }
    }
  }

  private static var few: Quotas {
    var quotas = Quotas()
    quotas[.changes] = 6
    return quotas
  }

  @Test func `follow an account only when its own person is renamed`() async throws {
    let store = try await TestStore.make()
    try await Server.with(store) { server in
      let ben = try await server.member("Ben")
      let own: SQL = "SELECT name FROM account WHERE id = \(ben.account)"
      _ = try await ben.send(.create(record("Row", host: "Zoe")))
      #expect(try await people(.rename(from: "Zoe", to: "Zora"), by: ben) == [nil])
      #expect(try await store.read { try $0.row(own, as: String.self) } == "Ben")
      #expect(try await people(.rename(from: "Ben", to: "Benno"), by: ben) == [nil])
      #expect(try await people(.rename(from: "BENNO", to: "Bert"), by: ben) == [nil])
      #expect(try await store.read { try $0.row(own, as: String.self) } == "Bert")
    }
  }

  @Test func `are not claimed by a refused change`() async throws {
    try await with { _, ana, ben in
      var swim = record("Swim", host: "Ben")
      swim.participants = ["Cora", "Dora", "Eva", "Ana"]
      var refused = try await ben.send(.create(swim))
      for name in ["Cora", "Dora", "Eva"] {
        #expect(try await ana.send(.join(id: "row", person: name)).map(\.refusal) == [nil])
      }
      swim.participants = (1...20).map { "P \($0)" }
      refused += try await ben.send(.create(swim))
      #expect(refused.map { $0.refusal == nil } == [false, false])
      let answers = try await ana.send(.join(id: "row", person: "P 1"))
      #expect(answers.map(\.refusal) == [nil])
    }
  }

  @Test func `keep their pictures when they are renamed`() async throws {
    try await with { _, ana, ben in
      let stored = try await picture(by: ben)
      let answers = try await people(
        .setPicture(name: "Ben", picture: stored), .rename(from: "Ben", to: "BEN"),
        .rename(from: "BEN", to: "Benno"), by: ben)
      #expect(answers == [nil, nil, nil])
      #expect(
        try await pictures(ana) == [PersonRecord(id: "benno", name: "Benno", picture: stored)])
    }
  }

  @Test func `of earlier databases belong to their accounts, which organise their groups`()
    async throws
  {
    let first = Members.migration(integer: "INTEGER")
    let store = try await TestStore.make { $0.prefix { $0.name != first.name } }
    try await store.write { transaction in
      for (id, name) in [("a", "Ana"), ("b", "Ben")] {
        try transaction.execute(
          """
          INSERT INTO account (id, key, name, created) VALUES (\(id), \(name.lowercased()), \(name), 1)
          """)
        try transaction.execute(
          "INSERT INTO member (scope, account, name) VALUES ('groups/club', \(id), 'Club')")
      }
      try transaction.execute("INSERT INTO browser (browser, name) VALUES ('x', 'Benno')")
      try transaction.execute(
        """
        INSERT INTO browser_account (browser, account, label, began, seen)
        VALUES ('x', 'b', '', 1, 1)
        """)
      try first.apply(in: transaction)
      for step in Names.migrations(options: "") { try step.apply(in: transaction) }
      let place = Place.group("club")
      for (name, id) in [("Ana", "a"), ("Ben", "b"), ("benno", "b"), ("Cora", nil)] {
        #expect(try Names.owner(of: name, at: place, in: transaction) == id)
      }
      for id in ["a", "b"] {
        #expect(try Members.isOrganiser(id, of: place, in: transaction))
      }
      let own: SQL = "SELECT name FROM browser WHERE browser = \(Backend.nameKey(of: "b"))"
      #expect(try transaction.row(own, as: String.self) == "Benno")
    }
    try await store.close()
  }
}
