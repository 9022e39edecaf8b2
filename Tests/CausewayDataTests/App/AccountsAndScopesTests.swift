import Causeway
import CausewayData
import CausewayDataTesting
import CausewaySQLite
import Foundation
import TestSupport
import Testing

/// The code of the article about accounts and scopes.
@Suite(.timeLimit(.minutes(10)))
@MainActor final class AccountsAndScopesTests {
  private let directory = NSTemporaryDirectory() + "causeway-\(UUID().uuidString)"
  private let network = ScriptedNetworkService()

  init() throws {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  isolated deinit { try? FileManager.default.removeItem(atPath: directory) }

  private func makeAccounts() -> TripsAccounts {
    TripsAccounts(directory: directory) { [network] folder in
      TripsApp.Environment(
        directory: folder, refresh: { $0 }, network: { _ in network }, report: { _ in })
    }
  }

  private func titles(of app: TripsApp) async throws -> [String]? {
    var rows = app.trips.trips().makeAsyncIterator()
    return try await rows.next()?.map(\.title)
  }

  @Test func `a sign-out of one account leaves the others`() async throws {
    network.on(.get, "/trips", .failure(NetworkError(.notConnected, message: "on a boat")))
    network.on(.post, "/trips", .failure(NetworkError(.notConnected, message: "on a boat")))
    let accounts = makeAccounts()
    for name in ["Ada", "ada"] {
      let app = try await accounts.app(of: AccountID(name))
      try await app.signIn(AuthToken(access: name), as: AccountID(name))
      try await app.trips.plan(Trip(id: "t", title: "for \(name)", seats: 2))
    }
    async let (opened, again) = (accounts.app(of: "Ada"), accounts.app(of: "Ada"))
    let (one, two) = try await (opened, again)
    #expect(one === two)
    let first = try await titles(of: one)
    #expect(first == ["for Ada"])

    try await accounts.signOut("Ada")
    let second = try await titles(of: accounts.app(of: "ada"))
    #expect(second == ["for ada"])
    #expect(await accounts.close().isEmpty)

    let next = makeAccounts()
    #expect(try await next.app(of: "Ada").session.current == nil)
    let third = try await titles(of: next.app(of: "ada"))
    #expect(third == ["for ada"])
    #expect(await next.close().isEmpty)
  }

  @Test func `the engine of each club with changes of an earlier run sends them`() async throws {
    let store = try InMemoryPersistenceService(migrations: TripsRepository.migrations)
    let offline = NetworkError(.notConnected, message: "on a boat")
    network.on(.get, "/clubs/red/trips", .failure(offline))
    network.on(.post, "/clubs/red/trips", .failure(offline))
    do {
      let outbox = Outbox(persistence: store, session: SessionService(account: .local))
      let clubs = ClubTrips(network: network, outbox: outbox)
      try await clubs.engine(of: "red").perform(.plan(Trip(id: "t", title: "Skerries", seats: 2)))
    }
    struct Page: Encodable {
      var trips = [Trip(id: "t", title: "Skerries", seats: 2)]
      var deleted: [String] = []
      var version = 1
    }
    network.on(.get, "/clubs/red/trips", .json(Page()))
    network.on(.post, "/clubs/red/trips", .json(1))
    let outbox = Outbox(persistence: store, session: SessionService(account: .local))
    let clubs = ClubTrips(network: network, outbox: outbox)
    try await clubs.resume()
    outbox.start()
    let engine = await clubs.engine(of: "red")
    for try await rows in engine.observe() where rows.map(\.isPending) == [false] { break }
    #expect(await clubs.engine(of: "red") === engine)
    await clubs.close("red")
  }
}
