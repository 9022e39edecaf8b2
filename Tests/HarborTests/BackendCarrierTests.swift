import CausewayData
import CausewayHTTP
import CausewaySQLite
import Foundation
import HarborDomain
import Testing

@testable import HarborApp

/// A device and its backend in one process, with and without connections between them.
@MainActor @Suite(.timeLimit(.minutes(10))) struct `A device beside its backend` {
  private let details = ActivityDetails(
    title: "Row", place: nil, notes: nil, start: Date(timeIntervalSince1970: 2_000_000_000))

  private func eventually(
    _ activities: ActivityRepository, _ isReached: ([Activity]) -> Bool
  ) async throws {
    for try await board in activities.activities() where isReached(board) { return }
  }

  @Test(arguments: [false, true])
  func `sends each change once, and gets the changes of other devices`(isDirect: Bool) async throws
  {
    try await LocalHarbor.with(isDirect: isDirect) { harbor in
      let (device, parts) = (harbor.device, try #require(harbor.device.account))
      let group = try #require(device.group?.id)
      let activities = parts.board(of: group).activities
      let first = try await activities.create(details, host: PersonName("Ana"))
      try await eventually(activities) { $0.count == 1 && !$0[0].isPending }
      let stored: SQL = "SELECT count(*) FROM record WHERE collection = 'activities'"
      #expect(try await harbor.store.read { try $0.row(stored, as: Int.self) } == 1)
      // Another device of the account.
      let join = SentChange(
        key: IdempotencyKey(), mutation: ActivityMutation.join(id: first.id, person: "Ben"))
      for _ in 1...2 {
        let answers = try await device.network.value(
          for: Endpoint<[ChangeAnswer]>(
            .post, "/groups/\(group)/activities/changes", body: [join], idempotencyKey: join.key))
        #expect(answers.map(\.refusal) == [nil])
      }
      try await eventually(activities) { $0.first?.participants.map(\.text) == ["Ana", "Ben"] }
    }
  }

  @Test(arguments: [false, true])
  func `gets a new token, and is refused without a session`(isDirect: Bool) async throws {
    try await LocalHarbor.with(isDirect: isDirect) { harbor in
      let network = harbor.device.network
      let request = NetworkRequest(.get, "/accounts/local/groups")
      try await harbor.store.write { try $0.execute("DELETE FROM token WHERE kind = 'access'") }
      #expect(try await network.response(for: request).status == 200)
      let events = network.events(for: NetworkRequest(.get, "/accounts/local/groups/events"))
      var (names, failure): ([String], NetworkError?) = ([], nil)
      do {
        for try await event in events {
          names.append(event.name)
          try await harbor.store.write { transaction in
            try transaction.execute("DELETE FROM token")
            try transaction.execute("DELETE FROM device")
          }
        }
      } catch let error as NetworkError {
        failure = error
      }
      #expect(names.first == "version")
      #expect(failure?.status == 401)
      let error = await #expect(throws: NetworkError.self) {
        try await network.response(for: NetworkRequest(.get, "/accounts/other/groups"))
      }
      #expect(error?.status == 401)
    }
  }

  @Test(arguments: [false, true])
  func `uses connections only if it must`(isDirect: Bool) async throws {
    try await LocalHarbor.with(isDirect: isDirect) { harbor in
      #expect((harbor.connections() == 0) == isDirect)
    }
  }
}
