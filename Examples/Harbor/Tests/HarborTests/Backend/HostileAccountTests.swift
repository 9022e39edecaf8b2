import CausewayData
import CausewayHTTP
import Foundation
import HarborDomain
import Synchronization
import Testing

/// Requests for data of other accounts, and requests without a valid token.
@Suite(TestStore.isAvailable) struct `A hostile account` {
  private func status(_ work: () async throws -> Void) async -> Int? {
    do {
      try await work()
      return 200
    } catch {
      return (error as? NetworkError)?.status
    }
  }

  @Test func `cannot read or change another group, with or without its id`() async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      var eve = try await server.member("Eve")
      _ = try await ana.send(.create(record("Row", id: "row")))
      #expect(try await eve.list() == [])
      eve.group = ana.group
      let spy = eve
      #expect(await status { _ = try await spy.list() } == 404)
      #expect(await status { _ = try await spy.send(.delete(id: "row")) } == 404)
      for path: NetworkPath in [
        "/groups/\(ana.group)/people", "/groups/\(ana.group)/activities/events",
        "/groups/\(ana.group)/pictures/\("x")", "/accounts/\(ana.account)/links",
        "/accounts/\(ana.account)/groups", "/groups/\("../" + ana.group)/activities",
      ] {
        #expect(
          await status { _ = try await spy.network.response(for: .init(.get, path)) } == 404,
          "\(path)")
      }
      #expect(
        await status {
          try await spy.network.call(Endpoint(.post, "/groups/\(ana.group)/invitations"))
        } == 404)
      #expect(try await ana.list().count == 1)
    }
  }

  @Test func `cannot found a group under an existing id`() async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      let eve = try await server.member("Eve")
      let found = SentChange(
        key: IdempotencyKey(),
        mutation: GroupMutation.found(GroupRecord(id: ana.group, name: "Mine")))
      let answers: [ChangeAnswer] = try await eve.network.value(
        for: Endpoint(.post, "/accounts/\(eve.account)/groups/changes", body: [found]))
      #expect(answers.first?.refusal != nil)
      var spy = eve
      spy.group = ana.group
      let found2 = spy
      #expect(await status { _ = try await found2.list() } == 404)
    }
  }

  @Test(arguments: [
    "", "Bearer", "Bearer x", "Basic YTpi", "Bearer \(String(repeating: "0", count: 64))",
  ])
  func `gets nothing with a forged token`(field: String) async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      var configuration = HTTPNetworkService.Configuration(address: server.url)
      configuration.headers["Authorization"] = field
      let network = HTTPNetworkService(configuration)
      #expect(
        await status {
          _ = try await network.response(for: .init(.get, "/groups/\(ana.group)/activities"))
        } == 401)
    }
  }

  @Test func `gets nothing with the token of a session that was signed out`() async throws {
    try await Server.with { server in
      let ana = try await server.member("Ana")
      try await ana.network.call(Endpoint(.delete, "/tokens"))
      #expect(await status { _ = try await ana.list() } == 401)
      let refresh = Endpoint<AuthToken>(
        .post, "/tokens/refresh", body: ["refresh_token": ana.tokens.refresh ?? ""])
      #expect(await status { _ = try await server.guest.value(for: refresh) } == 401)
    }
  }

  @Test func `gets nothing with an expired token`() async throws {
    let time = Time()
    try await Server.with(now: { time.date }) { server in
      let ana = try await server.member("Ana")
      let refresh = Endpoint<AuthToken>(
        .post, "/tokens/refresh", body: ["refresh_token": ana.tokens.refresh ?? ""])
      time.pass(seconds: 14 * 60)
      _ = try await ana.list()
      time.pass(seconds: 2 * 60)
      #expect(await status { _ = try await ana.list() } == 401)
      let fresh = try await server.guest.value(for: refresh)
      let list = NetworkRequest(.get, "/groups/\(ana.group)/activities")
      _ = try await server.network(fresh).response(for: list)
      time.pass(seconds: 91 * 86_400)
      #expect(await status { _ = try await server.guest.value(for: refresh) } == 401)
    }
  }

  @Test func `cannot sign in with a wrong passphrase, and cannot try many`() async throws {
    // The limit grows with the time, which stands still.
    let time = Time()
    try await Server.with(now: { time.date }) { server in
      _ = try await server.member("Ana")
      func attempt(_ passphrase: String) async -> Int? {
        await status {
          _ = try await server.guest.value(
            for: Endpoint<Server.SignedIn>(
              .post, "/tokens", body: Credentials(name: "Ana", passphrase: passphrase)
            ))
        }
      }
      for _ in 1...3 { #expect(await attempt("wrong wrong wrong") == 403) }
      var statuses: [Int?] = []
      for _ in 1...20 { statuses.append(await attempt("wrong wrong wrong")) }
      #expect(statuses.last == 429)
      #expect(await attempt("correct horse battery") == 429)
    }
  }
}

/// A date that a test moves.
private final class Time: Sendable {
  private let passed = Mutex<TimeInterval>(0)

  var date: Date { Date(timeIntervalSince1970: 1_800_000_000 + passed.withLock(\.self)) }

  func pass(seconds: TimeInterval) { passed.withLock { $0 += seconds } }
}
