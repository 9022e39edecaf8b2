import CausewayData
import CausewayHTTP
import CausewaySyncServer
import Foundation
import HarborAccounts
import HarborDomain
import Testing

@testable import HarborBackend

/// Accounts and groups that send or store more than people do.
@Suite(TestStore.isAvailable) struct `A limit of the backend` {
  private static func quotas(_ limits: [Quota: Int]) -> Quotas {
    limits.reduce(into: Quotas()) { $0[$1.key] = $1.value }
  }

  private func failure(_ work: () async throws -> Void) async -> NetworkError? {
    do {
      try await work()
      return nil
    } catch {
      return error as? NetworkError
    }
  }

  private static func creations(_ count: Int) -> [SentChange<ActivityMutation>] {
    (0..<count).map { number in
      SentChange(key: IdempotencyKey(), mutation: .create(record("Row \(number)")))
    }
  }

  @Test func `keeps one account from making 6,000 activities in seconds`() async throws {
    let start = Date()
    try await Server.with(now: { start }) { server in
      let ana = try await server.member("Ana")
      let ben = try await server.member("Ben")
      var refused = 0
      for _ in 1...60 {
        let error = await failure { _ = try await ana.send(Self.creations(100)) }
        guard let error else { continue }
        refused += 1
        #expect(error.status == 429)
        #expect(error.retryAfter ?? .zero > .zero)
        // The outbox of a device keeps the changes and waits.
        #expect(RemoteFailure(error).kind == .busy)
        #expect(RemoteFailure(error).retryAfter == error.retryAfter)
      }
      // One change of the allowance was the foundation of the group.
      #expect(refused == 55)
      #expect(try await ana.activities.snapshot(ana.request).records.count == 500)
      // Others are not affected.
      let swim = record("Swim", host: "Ben")
      #expect(try await ben.send(.create(swim)).map(\.refusal) == [nil])
    }
  }

  @Test func `of a full group refuses new activities with a reason, and nothing else`() async throws
  {
    try await Server.with(quotas: Self.quotas([.activities: 3])) { server in
      let ana = try await server.member("Ana")
      let answers = try await ana.send(
        .create(record("1", id: "1")), .create(record("2", id: "2")),
        .create(record("3", id: "3")), .create(record("4", id: "4")), .join(id: "1", person: "Ben"))
      #expect(answers.map { $0.refusal == nil } == [true, true, true, false, true])
      let reason = try #require(answers[3].refusal)
      #expect(reason.contains("no room for more activities of this group: the limit is 3"))
      // An outbox rejects the change with this reason, and does not send it again.
      let refused = SentChange(
        key: IdempotencyKey(), mutation: ActivityMutation.create(record("5")))
      let result = try await ana.activities.applyBatch([
        BatchedMutation(
          refused.mutation,
          MutationRequest(
            account: AccountID(ana.account), scope: ana.request.scope, key: refused.key,
            attempts: 0))
      ])
      #expect(throws: RemoteFailure.self) { try result.first?.get() }
      if case .failure(let failure)? = result.first { #expect(failure.kind == .rejected) }
      // A deletion makes room for one activity.
      let more = try await ana.send(
        .delete(id: "2"), .delete(id: "2"), .create(record("6", id: "6")), .create(record("7")))
      #expect(more.map { $0.refusal == nil } == [true, true, true, false])
      #expect(try await ana.list().map(\.id).sorted() == ["1", "3", "6"])
    }
  }

  @Test func `holds for changes that arrive at the same time`() async throws {
    try await Server.with(quotas: Self.quotas([.activities: 5])) { server in
      let ana = try await server.member("Ana")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 1...12 {
          group.addTask { _ = try await ana.send([Self.creations(1)[0]]) }
        }
        try await group.waitForAll()
      }
      #expect(try await ana.list().count == 5)
    }
  }

  @Test func `of feedback, invitations, groups, members and accounts answers with a reason`()
    async throws
  {
    let quotas = Self.quotas([
      .feedback: 2, .invitations: 2, .groups: 2, .members: 2, .accounts: 3,
    ])
    try await Server.with(quotas: quotas) { server in
      let ana = try await server.member("Ana")
      func feedback(_ key: IdempotencyKey) async -> NetworkError? {
        await failure {
          try await ana.network.call(
            Endpoint(.post, "/feedback", body: ["text": "Good"], idempotencyKey: key))
        }
      }
      for key in ["1", "1", "2"] as [IdempotencyKey] { #expect(await feedback(key) == nil) }
      let full = try #require(await feedback("3"))
      #expect(full.status == 403)
      #expect(full.bodyExcerpt?.contains("no room for more feedback of this account") == true)
      // The answer to a repeated request does not change.
      #expect(await feedback("2") == nil)

      struct Code: Codable, Sendable { var code: String }
      func invite() async throws -> Code {
        try await ana.network.value(for: Endpoint(.post, "/groups/\(ana.group)/invitations"))
      }
      let code = try await invite()
      _ = try await invite()
      #expect(await failure { _ = try await invite() }?.status == 403)

      func accept(_ member: Member) async -> NetworkError? {
        await failure {
          let _: GroupRecord = try await member.network.value(
            for: Endpoint(.post, "/invitations/accept", body: code))
        }
      }
      let ben = try await server.member("Ben")
      #expect(await accept(ben) == nil)
      #expect(await accept(ben) == nil)
      let eve = try await server.member("Eve")
      #expect(await accept(eve)?.bodyExcerpt?.contains("more members of this group") == true)
      func found(_ account: Member, _ id: String = UUID().uuidString) async throws -> String? {
        let group = GroupRecord(id: id, name: "More")
        let change = SentChange(key: IdempotencyKey(), mutation: GroupMutation.found(group))
        let answers: [ChangeAnswer] = try await account.network.value(
          for: Endpoint(.post, "/accounts/\(account.account)/groups/changes", body: [change]))
        return answers.first?.refusal
      }
      let id = UUID().uuidString
      let refusal = try await found(ben, id)
      #expect(refusal?.contains("more groups of this account") == true)
      // A refused foundation makes nobody a member.
      let read = NetworkRequest(.get, "/groups/\(id)/activities")
      #expect(await failure { _ = try await ben.network.response(for: read) }?.status == 404)
      #expect(try await found(eve) == nil)
      #expect(try await found(eve) != nil)
      #expect(await failure { _ = try await server.member("Dan") }?.status == 403)
    }
  }

  @Test func `by the minute slows feedback, and a link of one account does not count for another`()
    async throws
  {
    let start = Date()
    try await Server.with(
      quotas: Self.quotas([.uploads: 2, .links: 1]), now: { start }
    ) { server in
      let ana = try await server.member("Ana")
      let ben = try await server.member("Ben")
      func feedback(_ member: Member) async -> Int? {
        await failure {
          try await member.network.call(Endpoint(.post, "/feedback", body: ["text": "Good"]))
        }?.status
      }
      #expect(await feedback(ana) == nil)
      #expect(await feedback(ana) == nil)
      #expect(await feedback(ana) == 429)
      #expect(await feedback(ben) == nil)
      func add(_ name: String, by member: Member) async throws -> String? {
        let link = try LinkDraft(name: name, target: "https://a.example")
          .validated(at: Date())
        let change = SentChange(key: IdempotencyKey(), mutation: LinkMutation.add(link))
        let answers: [ChangeAnswer] = try await member.network.value(
          for: Endpoint(.post, "/accounts/\(member.account)/links/changes", body: [change]))
        return answers.first?.refusal
      }
      #expect(try await add("one", by: ana) == nil)
      #expect(try await add("two", by: ana)?.contains("more links of this account") == true)
      #expect(try await add("three", by: ben) == nil)
    }
  }

  @Test func `does not make a list longer than a page, which the device puts together`()
    async throws
  {
    let store = try await TestStore.make()
    try await Server.with(store) { server in
      let ana = try await server.member("Ana")
      let records = Records(place: .group(ana.group), collection: "activities")
      try await store.write { transaction in
        for number in 0..<2_500 {
          let id = String(10_000 + number)
          try records.put(
            Records.encoded(record("Row \(number)", id: id)), id: id, in: transaction)
        }
        try records.put(nil, id: "10007", in: transaction)
      }
      let first: CollectionPage<ActivityRecord> = try await ana.network.value(
        for: Endpoint(.get, "/groups/\(ana.group)/activities"))
      #expect(first.records.count == 1_000)
      #expect(first.hasMore)
      let all = try await ana.activities.snapshot(ana.request)
      let expected: [String] = (10_000..<12_500).filter { $0 != 10_007 }.map { "\($0)" }
      #expect(all.records.map(\.id) == expected)
      #expect(all.version == SyncVersion(2_501))
      #expect(try await store.read { try records.count(in: $0) } == 2_499)
    }
  }

  @Test func `counts the records of a database of an earlier version`() async throws {
    let step = "count the records of collections"
    let store = try await TestStore.make { $0.prefix { $0.name != step } }
    try await store.write { transaction in
      for (id, body) in [("a", "{}"), ("b", "{}"), ("c", nil)] as [(String, String?)] {
        try transaction.execute(
          """
          INSERT INTO record (scope, collection, id, version, body)
          VALUES ('groups/club', 'activities', \(id), \(Int64(id.utf8.first ?? 0)), \(body))
          """)
      }
      try transaction.execute(
        "INSERT INTO feed (scope, collection, version) VALUES ('groups/club', 'activities', 99)")
      try transaction.execute(StoredRecords.counts(integer: "INTEGER"))
      let records = Records(place: .group("club"), collection: "activities")
      #expect(try records.count(in: transaction) == 2)
      try records.put(nil, id: "a", in: transaction)
      try records.put(nil, id: "a", in: transaction)
      try records.put("{}", id: "c", in: transaction)
      try records.put("{}", id: "c", in: transaction)
      #expect(try records.count(in: transaction) == 2)
    }
    try await store.close()
  }

  @Test func `of devices signs out the one that was silent for the longest time`() async throws {
    try await Server.with(quotas: Self.quotas([.devices: 2])) { server in
      let first = try await server.member("Ana")
      func signIn() async throws -> Member {
        let answer: Server.SignedIn = try await server.guest.value(
          for: Endpoint(
            .post, "/tokens", body: Credentials(name: "Ana", passphrase: "correct horse battery")))
        var device = first
        (device.tokens, device.network) = (answer.tokens, server.network(answer.tokens))
        return device
      }
      let second = try await signIn()
      #expect(try await first.list().isEmpty)
      let third = try await signIn()
      #expect(await failure { _ = try await first.list() }?.status == 401)
      for device in [second, third] { #expect(try await device.list().isEmpty) }
      // Others are not affected.
      let ben = try await server.member("Ben")
      #expect(try await ben.list().isEmpty)
      #expect(try await second.list().isEmpty)
    }
  }

  @Test func `of receipts removes the oldest`() async throws {
    let store = try await TestStore.make()
    try await Server.with(store, quotas: Self.quotas([.receipts: 3])) { server in
      let ana = try await server.member("Ana")
      let changes = Self.creations(6)
      for change in changes { #expect(try await ana.send([change]).map(\.refusal) == [nil]) }
      // Repeated changes have no further effect.
      for change in changes.suffix(3) {
        #expect(try await ana.send([change]).map(\.refusal) == [nil])
      }
      #expect(try await ana.send([changes[0]]).map { $0.refusal != nil } == [true])
      #expect(try await ana.list().count == 6)
      let count = try await store.read {
        try $0.row("SELECT count(*) FROM receipt", as: Int.self)
      }
      #expect(count == 3)
    }
  }

  @Test func `of a device's tokens keeps the newest`() async throws {
    let store = try await TestStore.make()
    try await Server.with(store) { server in
      let ana = try await server.member("Ana")
      let body = ["refresh_token": ana.tokens.refresh ?? ""]
      var last = ana.tokens
      for _ in 1...20 {
        last = try await server.guest.value(for: Endpoint(.post, "/tokens/refresh", body: body))
      }
      let count = try await store.read { try $0.row("SELECT count(*) FROM token", as: Int.self) }
      #expect(count ?? 0 <= 9)
      var device = ana
      device.network = server.network(last)
      #expect(try await device.list().isEmpty)
    }
  }
}
