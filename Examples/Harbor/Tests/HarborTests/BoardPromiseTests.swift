import CausewayData
import CausewaySQLite
import CausewayTesting
import CausewayWeb
import Foundation
import HarborDomain
import Testing

@testable import HarborApp
@testable import HarborBackend

/// The promises of each board: of a device's board without a connection, and of a host's board.
@Suite(.timeLimit(.minutes(10))) struct `Each board` {
  private static let (ana, ben) = (PersonName(stored: "Ana"), PersonName(stored: "Ben"))

  static let promises = ConformanceSuite<any ActivityRepositoryProtocol>([
    "lists activities by date and again after each change": { board in
      var lists = board.activities().makeAsyncIterator()
      #expect(try await lists.next() == [])
      let later = try await board.create(details("Later", hours: 5), host: ana)
      #expect(try await lists.next()?.map(\.id) == [later.id])
      let sooner = try await board.create(details("Sooner", hours: 2), host: ana)
      #expect(try await lists.next()?.map(\.id) == [sooner.id, later.id])
      try await board.join(later.id, as: ben)
      #expect(try await lists.next()?.last?.participants == [ana, ben])
      try await board.leave(later.id, as: ana)
      #expect(try await lists.next()?.last?.participants == [ben])
      try await board.delete(sooner.id)
      #expect(try await lists.next()?.map(\.id) == [later.id])
    },
    "joins, leaves and deletes idempotently": { board in
      let id = try await board.create(details("Row"), host: ana).id
      let shouting = try PersonName("BEN")
      try await board.join(id, as: ben)
      try await board.join(id, as: shouting)
      #expect(try await list(board).first?.participants.map(\.text) == ["Ana", "Ben"])
      try await board.leave(id, as: shouting)
      try await board.leave(id, as: ben)
      #expect(try await list(board).first?.participants == [ana])
      try await board.delete(id)
      try await board.delete(id)
      try await board.leave(id, as: ana)
      #expect(try await list(board).isEmpty)
    },
    "refuses to edit and join a deleted activity": { board in
      let activity = try await board.create(details("Row"), host: ana)
      try await board.delete(activity.id)
      await #expect(throws: ActivityError.deleted) {
        try await board.update(activity.id, to: details("Sail"), basedOn: activity.revision)
      }
      await #expect(throws: ActivityError.deleted) { try await board.join(activity.id, as: ben) }
    },
    "refuses an edit based on an older revision": { board in
      let activity = try await board.create(details("Row"), host: ana)
      let edited = try await board.update(activity.id, to: details("Row fast"), basedOn: 1)
      #expect(edited.revision == 2)
      await #expect(throws: ActivityError.changedMeanwhile(current: edited)) {
        try await board.update(activity.id, to: details("Row slowly"), basedOn: 1)
      }
      #expect(try await list(board) == [edited])
      // Repeating the same edit is not a conflict.
      try await board.update(activity.id, to: details("Row fast"), basedOn: 1)
      #expect(try await list(board) == [edited])
    },
    "returns an activity as its list has it": { board in
      let draft = try details("Row", place: "Slip 2", notes: "Gloves\nand hats")
      let made = try await board.create(draft, host: ana)
      #expect(try await list(board) == [made])
      #expect(made.details == draft && made.host == ana && made.participants == [ana])
      let same = try await board.update(made.id, to: draft, basedOn: made.revision)
      #expect(same == made)
    },
  ])

  @Test(
    arguments: promises.cases(of: "a device", make: makeDevice)
      + promises.cases(of: "a host", make: makeHost))
  func `keeps its promises`(
    _ promise: ConformanceSuite<any ActivityRepositoryProtocol>.Case
  ) async throws {
    try await promise.verify()
  }

  static func makeDevice() async throws -> any ActivityRepositoryProtocol {
    try await Board().activities
  }

  static func makeHost() async throws -> any ActivityRepositoryProtocol {
    let store = try InMemoryPersistenceService(migrations: BackendMigrations.all)
    let backend = Backend(
      store: store, configuration: .init(port: 0), now: { Board.now })
    try await backend.makeLocalAccount(sample: nil)
    let (group, account) = (UUID().uuidString.lowercased(), Backend.localAccount)
    try await backend.groups(of: account).apply(.found(GroupRecord(id: group, name: "Club")))
    return HostedActivities(
      records: backend.activities(of: group, as: account), now: { Board.now })
  }

  private static func details(
    _ title: String, place: String = "", notes: String = "", hours: Double = 3
  ) throws -> ActivityDetails {
    let now = Board.now
    return try ActivityDraft(
      title: title, place: place, notes: notes, start: now.addingTimeInterval(hours * 3_600)
    ).validated(at: now)
  }

  private static func list(
    _ board: any ActivityRepositoryProtocol
  ) async throws -> [Activity] {
    for try await activities in board.activities() { return Array(activities) }
    return []
  }
}
