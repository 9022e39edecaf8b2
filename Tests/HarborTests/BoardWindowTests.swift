import CausewayWeb
import Foundation
import HarborDomain
import TestSupport
import Testing

@testable import HarborFeatures

/// A page shows the activities around now, and more of them on request.
@MainActor
@Suite struct `The window of a board` {
  private let wording = BoardWording(timeZone: .gmt)

  /// A board with an activity every hour, from past ones to future ones.
  private func state(past: Int, future: Int) -> FeedInteractor.State {
    let activities = (-past..<future).map { hour in
      var activity = FeedWorld.activity("\(hour)", "Hour \(hour)", [FeedWorld.ana])
      activity.details = ActivityDetails(
        title: activity.details.title, place: nil, notes: nil,
        start: Board.now.addingTimeInterval(3_600 * Double(hour) + (hour < 0 ? -86_400 : 60)))
      return activity
    }
    return FeedInteractor.State(
      now: Board.now, form: wording.emptyForm(at: Board.now),
      beginning: .init(activities: activities, person: nil))
  }

  private func ids(_ days: [FeedViewState.Day]) -> [Int] {
    days.flatMap(\.cards).compactMap { Int($0.id) }.sorted()
  }

  @Test func `begins with the next activities, and then has the latest past ones`() {
    let few = BoardReducer(wording: wording).reduce(state(past: 30, future: 40))
    #expect(ids(few.days) == Array(-30..<40) && few.more.isEmpty && few.moreAddress.isEmpty)
    let many = BoardReducer(wording: wording).reduce(state(past: 300, future: 40))
    #expect(ids(many.days) == Array(-60..<40))
    #expect(many.summary.hasPrefix("40 activities ahead"))
    let future = BoardReducer(wording: wording).reduce(state(past: 300, future: 300))
    #expect(ids(future.days) == Array(0..<100))
  }

  @Test func `leads to a larger board, at the last shown activity, until it shows everything`() {
    let state = state(past: 0, future: 250)
    var (window, shown): (BoardWindow, [Int]) = (.first, [])
    while true {
      let board = BoardReducer(wording: wording, window: window).reduce(state)
      shown.append(ids(board.days).count)
      guard let next = window.next, !board.more.isEmpty else { break }
      #expect(board.more == "Show more (\(250 - window.rows) activities are not shown)")
      #expect(board.moreAddress == "\(next.address)#title-\(window.rows - 1)")
      #expect(BoardWindow(query: "\(next.rows)") == next)
      window = next
    }
    #expect(shown == [100, 200, 250])
  }

  @Test(arguments: [
    (nil, 100), ("", 100), ("-5", 100), ("x", 100), ("101", 200), ("900", 1_600),
    ("9223372036854775807", 6_400), ("99999999999999999999", 100),
  ])
  func `has few sizes, whatever the address asks for`(query: String?, rows: Int) {
    #expect(BoardWindow(query: query).rows == rows)
  }

  @Test func `keeps an open form beyond its end`() throws {
    var state = state(past: 0, future: 250)
    let edited = try #require(state.activities?.last)
    state.editors[edited.id] = FeedInteractor.Editor(
      original: edited, revision: 1,
      sheet: FeedInteractor.Sheet(form: wording.form(edited.details)))
    let days = try #require(PersonalReducer(wording: wording, rows: 100).reduce(state).days)
    #expect(ids(days) == Array(0..<100) + [249])
  }

  @Test func `has all own cards of the shown activities, and few others`() {
    var state = state(past: 300, future: 40)
    state.person = FeedWorld.ana
    let mine = PersonalReducer(wording: wording, rows: 100).reduce(state).mine
    #expect(mine.keys.compactMap { Int($0) }.sorted() == Array(-60..<40))
  }

  @Test func `limits the results of a search, whose texts are made once`() throws {
    let reducer = PageReducer(wording: wording)
    var page = HarborInteractor.State(
      section: .search, stage: .signedIn(.init(account: AccountState(), groups: .init())),
      account: AccountState())
    func search(_ change: (inout SearchInteractor.State) -> Void) -> PageViewState.Search {
      guard case .signedIn(var home) = page.stage else { return reducer.reduce(page).search }
      change(&home.search)
      page.stage = .signedIn(home)
      return reducer.reduce(page).search
    }
    let found = try #require(state(past: 0, future: 120).activities)
    let first = search { $0.found = found }
    #expect(first.results.map(\.id) == (0..<50).map(String.init) && first.hasMore)
    #expect(first.status == "120 activities found. The first 50 are shown.")
    let changed = search { $0.found?[1].participants = [FeedWorld.ben] }
    #expect(changed.results[1].people == "Ben")
    // A text that was not formatted again has the same storage.
    func storage(_ result: PageViewState.Search.Result) -> UnsafePointer<UInt8>? {
      result.when.utf8.withContiguousStorageIfAvailable(\.baseAddress) ?? nil
    }
    #expect(storage(changed.results[0]) == storage(first.results[0]))
    let all = search { $0.rows = 200 }
    #expect(all.results.count == 120 && !all.hasMore && all.status == "120 activities found.")
  }
}
