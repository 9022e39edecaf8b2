import CausewayData
import CausewayHTTP
import CausewaySyncServer
import CausewayWeb
import Foundation
import HarborAccounts
import HarborDomain
import Testing

@testable import HarborBackend

@Suite(TestStore.isAvailable) struct `Pictures of the backend` {
  private static let png = Data(
    [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
      9, 0, 0, 0, 9, 8, 2, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 80, 0x49, 0x44, 0x41, 0x54,
    ] + Array(0...83))

  private struct Stored: Decodable, Sendable { var id: String }

  @Test func `are stored by their type, and sent whole or in ranges`() async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      let path: NetworkPath = "/groups/\(ana.group)/pictures"
      func post(_ bytes: Data) async throws -> NetworkResponse {
        try await ana.network.response(
          for: NetworkRequest(
            .post, path, body: .bytes(Array(bytes), type: "application/octet-stream")))
      }
      func get(_ id: String, _ headers: NetworkHeaders = [:]) async throws -> NetworkResponse {
        var request = NetworkRequest(.get, "/groups/\(ana.group)/pictures/\(id)")
        request.headers = headers
        return try await ana.network.response(for: request)
      }
      func status(_ work: () async throws -> NetworkResponse) async -> Int? {
        do { return try await work().status } catch { return (error as? NetworkError)?.status }
      }
      let answer = try await post(Self.png)
      let id = try JSONDecoder().decode(Stored.self, from: Data(answer.body)).id
      let whole = try await get(id)
      #expect(whole.body == Array(Self.png))
      #expect(whole.headers["content-type"] == "image/png")
      let part = try await get(id, ["range": "bytes=8-11"])
      #expect(part.status == 206)
      #expect(part.body == [0, 0, 0, 13])
      let tag = try #require(whole.headers["etag"])
      #expect(await status { try await get(id, ["if-none-match": tag]) } == 304)
      #expect(await status { try await get(id, ["range": "bytes=9999-"]) } == 416)
      #expect(await status { try await post(Data("<svg onload=alert(1)>".utf8)) } == 415)
      #expect(await status { try await post(Self.png + Data(count: 2 << 20)) } == 413)
    }
  }

  @Test func `have the id that a device gives them, and are stored once`() async throws {
    try await Server.with { server in
      let (ana, ben) = (try await server.member("Ana"), try await server.member("Ben"))
      func put(_ id: String, _ bytes: Data, by member: Member) async -> Int? {
        let request = NetworkRequest(
          .put, "/groups/\(member.group)/pictures/\(id)",
          body: .bytes(Array(bytes), type: "application/octet-stream"))
        do { return try await member.network.response(for: request).status } catch {
          return (error as? NetworkError)?.status
        }
      }
      let id = UUID().uuidString.lowercased()
      // The answer to the first request may have been lost.
      for _ in 1...2 { #expect(await put(id, Self.png, by: ana) == 200) }
      let stored = try await ana.network.response(
        for: NetworkRequest(.get, "/groups/\(ana.group)/pictures/\(id)"))
      #expect(stored.body == Array(Self.png))
      #expect(await put(id, Self.png, by: ben) == 409)
      #expect(await put("short", Self.png, by: ana) == 422)
      #expect(await put(String(repeating: "é", count: 30), Self.png, by: ana) == 422)
      #expect(await put(UUID().uuidString, Data("no picture".utf8), by: ana) == 415)
    }
  }

  private func withStore(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> Void
  ) async throws {
    let store = try await TestStore.make()
    try await store.write { try body($0) }
    try await store.close()
  }

  private static func add(
    _ id: String, hour: Double = 0, _ transaction: any WriteTransaction
  ) throws {
    try Pictures.add(
      png, id: id, type: "image/png", to: "club", by: "ana",
      at: Date(timeIntervalSince1970: hour * 3_600), within: Quotas(), transaction)
  }

  private static func ids(_ transaction: any ReadTransaction) throws -> [String] {
    try transaction.rows("SELECT id FROM picture ORDER BY id", as: String.self)
  }

  @Test func `are removed when their person gets another one or none`() async throws {
    try await withStore { transaction in
      for id in ["a", "b", "c"] { try Self.add(id, transaction) }
      try Pictures.use("a", of: "ana", in: "club", transaction)
      try Pictures.use("b", of: "ben", in: "club", transaction)
      #expect(try !Pictures.mayUse("b", of: "ana", in: "club", transaction))
      #expect(try !Pictures.mayUse("c", of: "ana", in: "other club", transaction))
      #expect(try Pictures.mayUse("c", of: "ana", in: "club", transaction))
      try Pictures.use("c", of: "ana", in: "club", transaction)
      #expect(try Self.ids(transaction) == ["b", "c"])
      try Pictures.use(nil, of: "ben", in: "club", transaction)
      #expect(try Self.ids(transaction) == ["c"])
    }
  }

  @Test func `that no person uses are removed after a day`() async throws {
    try await withStore { transaction in
      try Self.add("used", transaction)
      try Pictures.use("used", of: "ana", in: "club", transaction)
      try Self.add("unused", transaction)
      try Self.add("young", hour: 2, transaction)
      try Self.add("new", hour: 25, transaction)
      #expect(try Self.ids(transaction) == ["new", "used", "young"])
    }
  }

  @Test func `of one account are limited`() async throws {
    try await withStore { transaction in
      for number in 1...Quotas()[.pictures] { try Self.add("\(number)", transaction) }
      let problem = #expect(throws: Problem.self) { try Self.add("more", transaction) }
      #expect(problem?.status == .forbidden)
      // The next day, the unused pictures are removed.
      try Self.add("later", hour: 25, transaction)
      #expect(try Self.ids(transaction) == ["later"])
    }
  }

  @Test func `of people stay when the database of an earlier version is opened`() async throws {
    let store = try await TestStore.make { $0.prefix { $0.name != Pictures.migration.name } }
    try await store.write { transaction in
      let person = try Records.encoded(PersonRecord(id: "ana", name: "Ana", picture: "used"))
      try transaction.execute(
        """
        INSERT INTO record (scope, collection, id, version, body)
        VALUES ('groups/club', 'people', 'ana', 1, \(person))
        """)
      for id in ["used", "unused"] {
        try transaction.execute(
          """
          INSERT INTO picture (id, group_id, type, bytes)
          VALUES (\(id), \("club"), \("image/png"), \(Self.png))
          """)
      }
      try Pictures.migration.apply(in: transaction)
      try Self.add("new", hour: 25, transaction)
      #expect(try Self.ids(transaction) == ["new", "used"])
    }
    try await store.close()
  }

  @Test(arguments: ["龍", "ﷺ", "é"])
  func `belong to people with names of forty characters in any script`(character: String)
    async throws
  {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      let upload = NetworkRequest(
        .post, "/groups/\(ana.group)/pictures",
        body: .bytes(Array(Self.png), type: "application/octet-stream"))
      let stored = try await ana.network.response(for: upload)
      let picture = try JSONDecoder().decode(Stored.self, from: Data(stored.body)).id
      let name = String(repeating: character, count: 40)
      let change = SentChange(
        key: IdempotencyKey(), mutation: PersonMutation.setPicture(name: name, picture: picture))
      let answers: [ChangeAnswer] = try await ana.network.value(
        for: Endpoint(.post, "/groups/\(ana.group)/people/changes", body: [change]))
      #expect(answers.map(\.refusal) == [nil])
    }
  }
}
