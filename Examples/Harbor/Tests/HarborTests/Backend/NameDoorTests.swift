import CausewayData
import CausewayHTTP
import CausewaySyncServer
import CausewayWeb
import Foundation
import HarborAccounts
import HarborDomain
import Testing

@testable import HarborBackend

/// The rule for a name at each door: each way in which Harbor accepts a name.
@Suite(TestStore.isAvailable, .timeLimit(.minutes(5))) struct `A name of another person` {
  enum Door: String, CaseIterable, Sendable {
    case signUp, rename, ownRename, host, participant, join, picture, group, invitation, archive
  }

  /// Hanna Berg has an account, and has not joined the group of Ana and Moritz.
  struct World {
    var server: Server
    var store: any PersistenceService
    var moritz: Member
    var picture: String

    /// Why a door refuses a name; `nil` if it accepts it.
    func refusal(of name: String, at door: Door) async throws -> String? {
      let group = moritz.group
      var record = record("Row", host: door == .participant ? "Moritz" : name)
      record.participants = [name]
      switch door {
      case .signUp:
        do {
          let credentials = Credentials(name: name, passphrase: "correct horse battery")
          try await server.guest.call(Endpoint(.post, "/accounts", body: credentials))
          return nil
        } catch let error as NetworkError {
          return error.bodyExcerpt
        }
      case .rename:
        return try await people(.rename(from: "Moritz", to: name))
      case .ownRename:
        let backend = Backend(store: store, configuration: .init(port: 0))
        do {
          try await backend.rename("Moritz", to: name, as: moritz.account)
          return nil
        } catch {
          return "\(error)"
        }
      case .host, .participant:
        return try await moritz.send(.create(record)).first?.refusal
      case .join:
        return try await moritz.send(.join(id: "row", person: name)).first?.refusal
      case .picture:
        return try await people(.setPicture(name: name, picture: picture))
      case .group:
        let found = GroupMutation.found(
          GroupRecord(id: UUID().uuidString.lowercased(), name: name))
        let answers: [ChangeAnswer] = try await moritz.network.value(
          for: Endpoint(
            .post, "/accounts/\(moritz.account)/groups/changes",
            body: [SentChange(key: IdempotencyKey(), mutation: found)]))
        return answers.first?.refusal
      case .invitation:
        return await refusal { _ = try await Invitations.make(to: name, in: store, at: Date()) }
      case .archive:
        let archive = Archive(
          groups: [.init(group: GroupRecord(id: group, name: "Club"), activities: [record])],
          links: [])
        return await refusal { _ = try await archive.write(to: store, at: Date()) }
      }
    }

    private func refusal(_ body: () async throws -> Void) async -> String? {
      do {
        try await body()
        return nil
      } catch {
        return "\(error)"
      }
    }

    private func people(_ mutation: PersonMutation) async throws -> String? {
      let answers: [ChangeAnswer] = try await moritz.network.value(
        for: Endpoint(
          .post, "/groups/\(moritz.group)/people/changes",
          body: [SentChange(key: IdempotencyKey(), mutation: mutation)]))
      return answers.first?.refusal
    }
  }

  private func with(_ body: (World) async throws -> Void) async throws {
    let store = try await TestStore.make()
    try await Server.with(store) { server in
      let ana = try await server.member("Ana")
      let moritz = try await server.joining("Moritz", ana)
      _ = try await server.member("Hanna Berg")
      _ = try await ana.send(.create(record("Row", id: "row")))
      var upload = NetworkRequest(.post, "/groups/\(ana.group)/pictures")
      upload.body = .bytes(PictureFile.png, type: "image/png")
      struct Stored: Decodable { var id: String }
      let answer = try await moritz.network.response(for: upload)
      let picture = try JSONDecoder().decode(Stored.self, from: Data(answer.body)).id
      try await body(World(server: server, store: store, moritz: moritz, picture: picture))
    }
  }

  /// Names that nobody may have: of several alphabets, or with characters that nobody sees.
  static let unreadable = [
    "H\u{430}nna Berg", "Hanna B\u{435}rg", "\u{41D}anna Berg", "Hann\u{3B1} Berg",
    "Hanna\u{200D} Berg", "Han\u{200C}na Berg", "Hanna Berg\u{FE0F}", "Hanna\u{FE00} Berg",
    "Hanna\u{202E} Berg", "\u{2066}Hanna Berg\u{2069}", "Hanna\u{200F} Berg",
    "Hanna\u{61C} Berg", "Hanna Berg\u{E0041}", "Hanna\u{E0100} Berg", "Hanna\u{AD} Berg",
    "Hanna\u{200B}Berg", "Hanna\u{2060} Berg", "Hanna\u{FEFF} Berg", "Hanna\u{34F} Berg",
    "Hanna\u{115F} Berg", "Hanna\u{2800}Berg", "Hanna\u{FFFB} Berg", "Hanna\u{E000} Berg",
    "Hanna\u{7} Berg", "",
  ]

  /// Names that look like the name of the account that has not joined.
  static let twins = [
    "Hanna Berg\u{338}", "Hanna\u{20D2} Berg", "Hanna Ber\u{261}", "Hanna\u{332} Berg",
  ]

  /// Other spellings of the same name.
  static let spellings = ["HANNA BERG", "hanna berg", "\u{FF28}anna Berg"]

  @Test(arguments: Door.allCases)
  func `is refused at each door`(door: Door) async throws {
    try await with { world in
      for name in Self.unreadable {
        let refusal = try await world.refusal(of: name, at: door)
        #expect(refusal != nil, "\(door) accepts \(name.debugDescription)")
      }
      // A group may have the name of an account. An import may have it too, but no similar name.
      guard ![.group, .invitation].contains(door) else { return }
      for name in Self.twins + (door == .archive ? [] : Self.spellings + ["Hanna Berg"]) {
        let refusal = try await world.refusal(of: name, at: door)
        #expect(
          refusal?.contains("account") == true,
          "\(door) accepts \(name.debugDescription): \(refusal ?? "")")
      }
    }
  }

  @Test(arguments: Door.allCases)
  func `does not keep others from their own names`(door: Door) async throws {
    try await with { world in
      var names = ["\u{1F469}\u{200D}\u{1F680} Mia", "नेहा", "Анна Берг"]
      // Moritz has one name, and the picture is that of one person.
      if [.rename, .ownRename, .picture].contains(door) { names = ["नेहा"] }
      if door == .archive { names.append("Hanna Berg") }
      for name in names {
        let refusal = try await world.refusal(of: name, at: door)
        #expect(refusal == nil, "\(door) refuses \(name): \(refusal ?? "")")
      }
    }
  }

  @Test func `cannot be taken by a name that looks like one on the board`() async throws {
    try await with { world in
      #expect(
        try await world.moritz.send(.join(id: "row", person: "Opa Kurt")).first?.refusal == nil)
      let ben = try await world.server.joining("Ben", world.moritz)
      for name in ["Opa Kurt", "Opa Kurt\u{338}", "OPA KURT"] {
        let refusal = try await ben.send(.join(id: "row", person: name)).first?.refusal
        #expect(refusal?.contains("another person of this group") == true, "\(name)")
      }
      #expect(
        try await world.moritz.send(.join(id: "row", person: "opa kurt")).first?.refusal == nil)
    }
  }

  @Test func `is free after a new name, with which the person signs in`() async throws {
    try await with { world in
      let refusal = try await world.refusal(of: "Skipper", at: .ownRename)
      #expect(refusal == nil)
      let accounts = await [signIn("Skipper", world), signIn("Moritz", world)]
      #expect(accounts == [world.moritz.account, nil])
      let taken = try await world.refusal(of: "Skipper", at: .signUp)
      let free = try await world.refusal(of: "Moritz", at: .signUp)
      #expect(taken != nil && free == nil)
    }
  }

  /// The account of a name.
  private func signIn(_ name: String, _ world: World) async -> String? {
    let credentials = Credentials(name: name, passphrase: "correct horse battery")
    let answer: Server.SignedIn? = try? await world.server.guest.value(
      for: Endpoint(.post, "/tokens", body: credentials))
    return answer?.account
  }

  @Test func `is the one of the board after an update of an older database`() async throws {
    let store = try await TestStore.make {
      $0.prefix { $0.name != "keep the looks of names on boards" }
    }
    try await store.write { transaction in
      for (id, name, shown) in [("a", "Ana", "Skipper"), ("b", "Ben", "ana")] {
        try transaction.execute(
          """
          INSERT INTO account (id, key, name, created) VALUES (\(id), \(name.lowercased()), \(name), 1)
          """)
        try transaction.execute(
          "INSERT INTO person_name (scope, key, account) VALUES ('groups/club', \(shown), \(id))")
        try transaction.execute(
          "INSERT INTO browser (browser, name) VALUES (\(Backend.nameKey(of: id)), \(shown))")
      }
      for step in Names.lookMigrations(options: "") { try step.apply(in: transaction) }
      try NameLooks.update(in: transaction)
      try Names.updateLooks(in: transaction)
      let names = try transaction.rows("SELECT name FROM account ORDER BY id", as: String.self)
      #expect(names == ["Skipper", "ana"])
      let forms = try transaction.row("SELECT count(*) FROM person_look", as: Int.self)
      #expect(forms == 6)
    }
    try await store.close()
  }
}
