import CausewayWeb
import Foundation
import HarborFeatures
import Testing

@testable import HarborApp

@MainActor
@Suite struct `Shared boards` {
  @Test func `make room for other time zones when no session shows them any more`() async throws {
    let board = try await Board()
    let snapshot = BoardSnapshot(board.activities)
    defer { snapshot.stop() }
    let boards = SharedBoards(board.activities, snapshot)
    for minutes in 1...100 {
      _ = try boards.board(in: TimeZone(secondsFromGMT: 60 * minutes))
    }
    let zone = try #require(TimeZone(secondsFromGMT: -3_600))
    let shown = try boards.board(in: zone)
    #expect(shown.wording.timeZone == zone)
    #expect(try boards.board(in: zone).state === shown.state)
  }

  @Test func `are at most 64, and further zones show the board of the server`() async throws {
    let board = try await Board()
    let snapshot = BoardSnapshot(board.activities)
    defer { snapshot.stop() }
    let boards = SharedBoards(board.activities, snapshot)
    let shown = try (1...64).map { try boards.board(in: TimeZone(secondsFromGMT: 60 * $0)) }
    let next = try boards.board(in: TimeZone(secondsFromGMT: -3_660))
    #expect(next.wording.timeZone == .current)
    #expect(shown.count == 64)
  }

  // The server encodes only the changed rows of a list again. Rows are values with an id.
  @Test func `consist of rows, so a change of one does not encode the others again`() {
    func isRow<Value>(_: Value.Type) -> Bool { Value.self is any (Identifiable & Equatable).Type }
    #expect(isRow(FeedViewState.Day.self))
    #expect(isRow(FeedViewState.Card.self))
  }
}
