import CausewayWeb
import Foundation
import HarborDomain
import Testing

@testable import HarborApp
@testable import HarborFeatures

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
    #expect(shown.board.wording.timeZone == zone)
    #expect(try boards.board(in: zone).state === shown.state)
  }

  @Test func `are at most 256, and further pages show the first one of the server, with a notice`()
    async throws
  {
    let board = try await Board()
    let snapshot = BoardSnapshot(board.activities)
    defer { snapshot.stop() }
    let boards = SharedBoards(board.activities, snapshot)
    let windows = (1...257).map { BoardWindow(.activity("\($0)")) }
    let shown = try windows.map { try boards.board(in: nil, $0) }
    #expect(shown.prefix(256).map(\.board.window) == windows.dropLast())
    #expect(shown.last?.board.window == .first && shown.last?.board.wording.timeZone == .current)
    let reducer = PageReducer(
      wording: BoardWording(timeZone: .gmt), window: .first, isFull: true)
    let page = reducer.reduce(
      HarborInteractor.State(
        section: .board, stage: .signedIn(.init(account: AccountState(), groups: .init())),
        account: AccountState()))
    #expect(page.address == "/" && page.connection.problem.contains("Too many pages"))
  }

  // The server re-encodes only the changed rows of a list. Rows are values with an id.
  @Test func `consist of rows, so a change of one does not encode the others again`() {
    func isRow<Value>(_: Value.Type) -> Bool { Value.self is any (Identifiable & Equatable).Type }
    #expect(isRow(FeedViewState.Day.self))
    #expect(isRow(FeedViewState.Card.self))
  }
}
