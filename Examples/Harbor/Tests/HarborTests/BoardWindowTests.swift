import Causeway
import CausewayTesting
import CausewayWeb
import Foundation
import HarborDomain
import TestSupport
import Testing

@testable import HarborApp
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
      beginning: .init(activities: Activities(activities), person: nil))
  }

  private func ids(_ days: [FeedViewState.Day]) -> [Int] {
    days.flatMap(\.cards).compactMap { Int($0.id) }.sorted()
  }

  @Test func `begins with the next activities, and leads to the archive of past ones`() {
    let few = BoardReducer(wording: wording, window: .first).reduce(state(past: 3, future: 20))
    #expect(ids(few.days) == Array(0..<20) && few.more.isEmpty && few.moreAddress.isEmpty)
    #expect(few.past == "Past activities (3)" && !few.isPart && few.heading.isEmpty)
    #expect(few.summary.hasPrefix("20 activities ahead"))
    let archive = BoardWindow(path: "/past")
    let past = BoardReducer(wording: wording, window: archive).reduce(state(past: 30, future: 40))
    #expect(ids(past.days) == Array(-25..<0) && past.isPart)
    #expect(past.more == "Earlier activities (5)" && past.moreAddress == "/past?page=2#board")
    #expect(past.heading == "Past activities" && past.past.isEmpty)
    let over = BoardReducer(wording: wording, window: .first).reduce(state(past: 3, future: 0))
    #expect(over.isEmpty && over.past == "Past activities (3)")
  }

  @Test func `leads from page to page until it has shown everything`() {
    let state = state(past: 10, future: 60)
    var (window, shown): (BoardWindow, [[Int]]) = (.first, [])
    while true {
      let board = BoardReducer(wording: wording, window: window).reduce(state)
      shown.append(ids(board.days))
      guard let next = window.next, !board.more.isEmpty else { break }
      #expect(board.moreAddress == "\(next.address)#board")
      #expect(BoardWindow(path: "/", page: "\(next.page + 1)") == next)
      window = next
    }
    #expect(shown == [Array(0..<25), Array(25..<50), Array(50..<60)])
  }

  @Test(arguments: [
    (nil, 0), ("", 0), ("-5", 0), ("x", 0), ("1", 0), ("3", 2), ("9223372036854775807", 399),
    ("99999999999999999999", 0),
  ])
  func `has few pages, whatever the address asks for`(query: String?, page: Int) {
    #expect(BoardWindow(path: "/past", page: query) == BoardWindow(.over, page: page))
  }

  @Test func `can begin at a day of its time zone`() throws {
    let zone = try #require(TimeZone(identifier: "Pacific/Auckland"))
    let wording = BoardWording(timeZone: zone)
    let day = wording.dayKey(Board.now.addingTimeInterval(30 * 86_400))
    let window = BoardWindow(path: "/day", page: "2", date: day, in: wording)
    let first = BoardWindow(path: "/day", date: day, in: wording)
    #expect(window.address == "/day?date=\(day)&page=2" && first.next == window)
    let start = try #require(wording.start(of: day))
    #expect(wording.fieldValue(start) == "\(day)T00:00")
    #expect(window.reach == Activities.Reach(days: [start: 51]))
    let state = state(past: 30, future: 800)
    let later = Array(
      (0..<800).filter {
        start <= Board.now.addingTimeInterval(3_600 * Double($0) + 60)
      })
    let shown = BoardReducer(wording: wording, window: first).reduce(state)
    #expect(ids(shown.days) == Array(later.prefix(25)) && shown.isPart)
    #expect(shown.heading.hasPrefix("From ") && shown.heading.hasSuffix(" on"))
    #expect(shown.more == "Later activities" && shown.moreAddress == "\(window.address)#board")
    let next = BoardReducer(wording: wording, window: window).reduce(state)
    #expect(ids(next.days) == Array(later.dropFirst(25).prefix(25)))
    let past = BoardWindow(path: "/day", date: "2001-02-03", in: wording)
    #expect(BoardReducer(wording: wording, window: past).reduce(state).days.contains { $0.isOver })
    let end = BoardWindow(path: "/day", date: "9999-12-31", in: wording)
    let nothing = BoardReducer(wording: wording, window: end).reduce(state)
    #expect(nothing.days.isEmpty && nothing.more.isEmpty)
    #expect(nothing.heading.hasSuffix(": nothing here"))
    for text in ["", "tomorrow", "2027-02-30", "2027-1-1", "2027-01-01T10:00", "-1-01-01"] {
      #expect(BoardWindow(path: "/day", date: text) == .first)
    }
    #expect(BoardWindow(path: "/day") == .first)
  }

  @Test func `can be a single activity of any id, whether it is over or not`() {
    for id in ["-3", "a/b ü?#"] {
      var state = state(past: 5, future: 5)
      if id != "-3" { state.activities?.replace([], by: [FeedWorld.activity(id, "Other", [])]) }
      let window = BoardWindow(.activity(id))
      #expect(BoardWindow(path: window.address) == window)
      let board = BoardReducer(wording: wording, window: window).reduce(state)
      #expect(board.days.flatMap(\.cards).map(\.id) == [id] && board.more.isEmpty)
      #expect(board.title == (id == "-3" ? "Hour -3" : "Other") && board.heading.isEmpty)
      state.activities = []
      let gone = BoardReducer(wording: wording, window: window).reduce(state)
      #expect(gone.heading == "This activity is not on the board" && !gone.isEmpty)
    }
  }

  @Test func `keeps an open form outside of it`() throws {
    var state = state(past: 0, future: 250)
    let edited = try #require(state.activities?.last)
    state.editors[edited.id] = FeedInteractor.Editor(
      original: edited, revision: 1,
      sheet: FeedInteractor.Sheet(form: wording.form(edited.details)))
    let days = try #require(PersonalReducer(wording: wording, window: .first).reduce(state).days)
    #expect(ids(days) == Array(0..<25) + [249])
  }

  @Test func `has all cards of the person that are shown, and few others`() {
    var state = state(past: 300, future: 40)
    state.person = FeedWorld.ana
    func own(_ window: BoardWindow) -> [Int] {
      PersonalReducer(wording: wording, window: window).reduce(state).mine.keys
        .compactMap { Int($0) }.sorted()
    }
    #expect(own(.first) == Array(0..<25))
    // The second page shows 15 activities, and all of them are among the person's first ones.
    #expect(own(BoardWindow(.ahead, page: 1)) == Array(0..<40))
    #expect(own(BoardWindow(.activity("7"))) == [7])
  }

  @Test func `has an activity in the archive only when it has ended`() {
    var state = state(past: 0, future: 1)
    state.activities?.change("0") { $0.details = FeedWorld.details("Long") }
    state.now = FeedWorld.details("Long").start.addingTimeInterval(2 * 3_600)
    #expect(BoardReducer(wording: wording, window: .first).reduce(state).days.count == 1)
    state.now += 2 * 3_600
    #expect(BoardReducer(wording: wording, window: .first).reduce(state).days.isEmpty)
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
    let found = Array(try #require(state(past: 0, future: 120).activities))
    let first = search { $0.found = SearchResults(rows: Array(found.prefix(50)), total: 120) }
    #expect(first.results.map(\.id) == (0..<50).map(String.init) && first.hasMore)
    #expect(first.status == "120 activities found. The first 50 are shown.")
    let changed = search { $0.found?.rows[1].participants = [FeedWorld.ben] }
    #expect(changed.results[1].people == "Ben")
    // A text that was not formatted again has the same storage.
    func storage(_ result: PageViewState.Search.Result) -> UnsafePointer<UInt8>? {
      result.when.utf8.withContiguousStorageIfAvailable(\.baseAddress) ?? nil
    }
    #expect(storage(changed.results[0]) == storage(first.results[0]))
    let all = search { ($0.rows, $0.found) = (200, SearchResults(rows: found)) }
    #expect(all.results.count == 120 && !all.hasMore && all.status == "120 activities found.")
  }

  @Test func `asks for no more results than twice the shown ones, however often it is asked`() {
    var search = SearchInteractor.State()
    search.found = SearchResults(rows: [], total: 120)
    let model = ViewModel(SearchInteractor(repository: SilentSearch()), initialState: search)
    for _ in 0..<100 { model.send(.showMore) }
    #expect(model.rows == 100)
  }

  @Test func `shows more results of a search on request`() async {
    let found = state(past: 0, future: 120).activities.map { Array($0) } ?? []
    var search = SearchInteractor.State()
    search.found = SearchResults(rows: Array(found.prefix(50)), total: 120)
    let model = TestModel(
      SearchInteractor(repository: FixedResults(all: found)), initialState: search)
    for (rows, count) in [(100, 100), (200, 120)] {
      await model.send(.showMore) {
        $0.rows = rows
        $0.isSearching = true
      }
      await model.expect {
        $0.found = SearchResults(rows: Array(found.prefix(count)), total: 120)
        $0.isSearching = false
      }
    }
    await model.send(.showMore)
    await model.finish()
  }

  @Test func `says when a page has no activities`() {
    let archive = BoardReducer(wording: wording, window: BoardWindow(.over))
    #expect(archive.reduce(state(past: 0, future: 3)).heading == "Past activities: nothing here")
    let late = BoardReducer(wording: wording, window: BoardWindow(.ahead, page: 4))
    #expect(late.reduce(state(past: 0, future: 3)).heading == "Page 5: nothing here")
  }
}

/// A search without an answer.
private struct SilentSearch: SearchRepositoryProtocol {
  func results(of text: String, limit: Int) -> AsyncThrowingStream<SearchResults, any Error> {
    AsyncThrowingStream { _ in }
  }
}

/// A search that always finds the same activities.
private struct FixedResults: SearchRepositoryProtocol {
  let all: [Activity]

  func results(of text: String, limit: Int) -> AsyncThrowingStream<SearchResults, any Error> {
    .once(SearchResults(rows: Array(all.prefix(limit)), total: all.count))
  }
}
