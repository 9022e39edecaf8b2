import CausewayData
import CausewaySQLite
import Foundation
import HarborDomain
import Testing

/// What only the board of a device does; see also `Each board`.
@Suite struct `Activity repository` {
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
