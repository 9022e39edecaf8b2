import Causeway
import CausewayData
import CausewayDataTesting
import Foundation
import TestSupport
import Testing

/// The app of the article, started several times on the same directory.
@Suite(.timeLimit(.minutes(10)))
@MainActor final class TripsAppTests {
  private let directory = NSTemporaryDirectory() + "causeway-\(UUID().uuidString)"
  private let network = ScriptedNetworkService()
  private let reports = Log<String>()
  private let trip = Trip(id: "t1", title: "Round the island", seats: 4)

  init() throws {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    goOffline()
  }

  isolated deinit { try? FileManager.default.removeItem(atPath: directory) }

  private struct Page: Encodable {
    var trips: [Trip]
    var deleted: [String] = []
    var version: Int
  }

  private var environment: TripsApp.Environment {
    TripsApp.Environment(
      directory: directory, refresh: { token in token }, network: { [network] _ in network },
      report: { [reports] in reports.append("\($0)") })
  }

  private func goOffline() {
    network.on(.get, "/trips", .failure(NetworkError(.notConnected, message: "on a boat")))
    network.on(.post, "/trips", .failure(NetworkError(.notConnected, message: "on a boat")))
  }

  private func goOnline() {
    network.on(.get, "/trips", .json(Page(trips: [trip], version: 1)))
    network.on(.post, "/trips", .json(1))
  }

  private func shown(in app: TripsApp, where isWanted: ([Synced<Trip>]) -> Bool) async throws
    -> [Synced<Trip>]
  {
    for try await rows in app.trips.trips() where isWanted(rows) { return rows }
    return []
  }

  @Test func `a change without a connection survives a restart and is sent by the next run`()
    async throws
  {
    let first = try await TripsApp.open(environment)
    #expect(first.session.current == nil)
    try await first.signIn(AuthToken(access: "a"), as: "ada")
    await first.makeTripList().send(.plan(trip)).finish()
    try await first.drafts.waitUntilLoaded()
    first.drafts["next"] = trip
    #expect(await first.close().isEmpty)

    goOnline()
    let second = try await TripsApp.open(environment)
    #expect(second.session.current?.account == "ada")
    let rows = try await shown(in: second) { $0.map(\.isPending) == [false] }
    #expect(rows.map(\.title) == ["Round the island"])
    try await second.drafts.waitUntilLoaded()
    #expect(second.drafts["next"] == trip)
    #expect(await second.close().isEmpty)
    #expect(reports.all.isEmpty)
  }

  @Test func `a logout removes everything of the account, also for the next run`() async throws {
    let first = try await TripsApp.open(environment)
    try await first.signIn(AuthToken(access: "a"), as: "ada")
    await first.makeTripList().send(.plan(trip)).finish()
    try await first.drafts.waitUntilLoaded()
    first.drafts["next"] = trip
    try await first.signOut()
    #expect(await first.close().isEmpty)

    let second = try await TripsApp.open(environment)
    #expect(second.session.current == nil)
    try await second.drafts.waitUntilLoaded()
    #expect(second.drafts["next"] == nil)
    try await second.signIn(AuthToken(access: "b"), as: "ada")
    #expect(try await shown(in: second) { _ in true }.isEmpty)
    #expect(await second.close().isEmpty)
  }

  @Test func `a token that cannot be read is reported, and no account is signed in`() async throws {
    try Data("not a token".utf8).write(to: URL(fileURLWithPath: "\(directory)/token"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: "\(directory)/token")
    let app = try await TripsApp.open(environment)
    #expect(app.session.current == nil)
    #expect(reports.all.count == 1)
    #expect(await app.close().isEmpty)
  }

  @Test func `the app does not start when its database cannot be opened`() async throws {
    try FileManager.default.createDirectory(
      atPath: "\(directory)/trips.sqlite", withIntermediateDirectories: true)
    await #expect(throws: PersistenceError.self) { try await TripsApp.open(environment) }
  }
}
