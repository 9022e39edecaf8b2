import CausewayData
import CausewaySQLite
import Foundation
import HarborDomain
import Testing

@Suite struct `Activity repository` {
  @Test func `lists activities by date and again after each change`() async throws {
    let board = try await Board()
    var lists = board.activities.activities().makeAsyncIterator()
    #expect(try await lists.next() == [])
    let later = try await board.create("Later", hours: 5)
    #expect(try await lists.next()?.map(\.id) == [later.id])
    let sooner = try await board.create("Sooner", hours: 2)
    #expect(try await lists.next()?.map(\.id) == [sooner.id, later.id])
    try await board.activities.join(later.id, as: board.ben)
    #expect(try await lists.next()?.last?.participants == [board.ana, board.ben])
    try await board.activities.leave(later.id, as: board.ana)
    #expect(try await lists.next()?.last?.participants == [board.ben])
    try await board.activities.delete(sooner.id)
    #expect(try await lists.next()?.map(\.id) == [later.id])
  }

  @Test func `joins, leaves and deletes idempotently`() async throws {
    let board = try await Board()
    let id = try await board.create("Row").id
    let shouting = try PersonName("BEN")
    try await board.activities.join(id, as: board.ben)
    try await board.activities.join(id, as: shouting)
    #expect(try await board.list().first?.participants.map(\.text) == ["Ana", "Ben"])
    try await board.activities.leave(id, as: shouting)
    try await board.activities.leave(id, as: board.ben)
    #expect(try await board.list().first?.participants == [board.ana])
    try await board.activities.delete(id)
    try await board.activities.delete(id)
    try await board.activities.leave(id, as: board.ana)
    #expect(try await board.list().isEmpty)
  }

  @Test func `rejects editing and joining a deleted activity`() async throws {
    let board = try await Board()
    let activity = try await board.create("Row")
    try await board.activities.delete(activity.id)
    await #expect(throws: ActivityError.deleted) {
      try await board.activities.update(
        activity.id, to: board.details("Sail"), basedOn: activity.revision)
    }
    await #expect(throws: ActivityError.deleted) {
      try await board.activities.join(activity.id, as: board.ben)
    }
  }

  @Test func `rejects an edit based on an older revision`() async throws {
    let board = try await Board()
    let activity = try await board.create("Row")
    let edited = try await board.activities.update(
      activity.id, to: board.details("Row fast"), basedOn: 1)
    #expect(edited.revision == 2)
    await #expect(throws: ActivityError.changedMeanwhile(current: edited)) {
      try await board.activities.update(activity.id, to: board.details("Row slowly"), basedOn: 1)
    }
    #expect(try await board.list() == [edited])
    // Repeating the same edit is not a conflict.
    try await board.activities.update(activity.id, to: board.details("Row fast"), basedOn: 1)
    #expect(try await board.list() == [edited])
  }

  @Test func `keeps all data after a restart`() async throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "board-\(UUID().uuidString).sqlite").path
    defer {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }
    let first = try await Board(path: path)
    let activity = try await first.create("Row", place: "Slip 2", notes: "Gloves\nand hats")
    try await first.activities.join(activity.id, as: first.ben)
    try await first.names.remember(first.ben)
    let stored = try await first.list()
    try await first.store.close()

    let second = try await Board(path: path)
    #expect(try await second.list() == stored)
    #expect(stored.first?.details == activity.details)
    #expect(try await second.names.remembered() == first.ben)
    #expect(second.names.latest == first.ben)
    try await second.store.close()
  }

  @Test func `gives every browser its own name`() async throws {
    let board = try await Board()
    let names = NameRepository(store: board.store)
    let (ana, ben) = (BrowserName(names, browser: "1"), BrowserName(names, browser: "2"))
    try await ana.remember(board.ana)
    #expect(try await ben.remembered() == nil)
    try await ben.remember(board.ana)
    try await ben.remember(board.ben)
    #expect(try await ana.remembered() == board.ana)
    let others = NameRepository(store: board.store)
    #expect(others.latest(in: "1") == nil)
    try await others.load()
    #expect(others.latest(in: "1") == board.ana)
    #expect(others.latest(in: "2") == board.ben)
  }

  @Test func `throws a typed error when the store is closed`() async throws {
    let board = try await Board()
    try await board.store.close()
    await #expect {
      try await board.create("Row")
    } throws: { error in
      if case .notStored? = error as? ActivityError { true } else { false }
    }
  }
}
