import Causeway
import CausewayData
import CausewaySQLite
import CausewayWeb
import Foundation
import HarborDomain
import Synchronization
import TestSupport
import Testing

@testable import HarborApp
@testable import HarborFeatures

/// All pages of a device share one reading of the board.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct `The shared activities of a board` {
  private static let cora = PersonName(stored: "Cora")

  private static func changed(_ change: (inout Activity) -> Void) -> Activity {
    var activity = FeedWorld.row
    change(&activity)
    return activity
  }

  /// The lists that a page of Ben receives when the board changes once and then fails.
  private func lists(
    after change: [Activity], from first: [Activity] = [FeedWorld.row]
  ) async throws -> [[Activity]] {
    let board = BoardDouble(first)
    let snapshot = BoardSnapshot(board)
    defer { snapshot.stop() }
    await snapshot.firstRead()
    let ben = FeedWorld.ben
    let stream = snapshot.stream { $0.contains(ben) }
    board.change { $0 = change }
    await until { snapshot.value == Activities(change) }
    board.fail(.notRead(reason: "Disk broken."))
    var lists: [[Activity]] = []
    await #expect(throws: ActivityError.self) {
      for try await list in stream { lists.append(Array(list)) }
    }
    return lists
  }

  // A page that has not read its first list receives only the newest one.
  @Test func `do not inform a page about the changes of other people`() async throws {
    let changes = [
      [Self.changed { $0.participants = [FeedWorld.ana, Self.cora] }],
      [Self.changed { $0.details = FeedWorld.details("New") }],
      [], [FeedWorld.row, FeedWorld.sail],
    ]
    for change in changes { #expect(try await lists(after: change) == [[FeedWorld.row]]) }
  }

  @Test func `do not inform a page about others who join or leave an activity of its person`()
    async throws
  {
    let joined = Self.changed { $0.participants = [FeedWorld.ana, FeedWorld.ben] }
    let fuller = Self.changed { $0.participants = [FeedWorld.ben, Self.cora] }
    #expect(try await lists(after: [fuller], from: [joined]) == [[joined]])
    let moved = Self.changed {
      $0.participants = [FeedWorld.ben]
      $0.details = FeedWorld.details("Later")
    }
    #expect(try await lists(after: [moved], from: [fuller]) == [[moved]])
  }

  @Test func `inform a page about the activities that its person hosts, joins or leaves`()
    async throws
  {
    let joined = Self.changed { $0.participants = [FeedWorld.ana, FeedWorld.ben] }
    let hosted = Self.changed { $0.host = FeedWorld.ben }
    #expect(try await lists(after: [joined]) == [[joined]])
    #expect(try await lists(after: [FeedWorld.row], from: [joined]) == [[FeedWorld.row]])
    #expect(try await lists(after: [], from: [hosted]) == [[]])
  }

  @Test func `are read again by a new stream after a failure`() async throws {
    let board = BoardDouble([FeedWorld.row])
    let snapshot = BoardSnapshot(board)
    await snapshot.firstRead()
    board.fail(.notRead(reason: "Disk broken."))
    await until { snapshot.value == nil }
    for try await list in snapshot.stream(where: { _ in false }) {
      #expect(list == [FeedWorld.row])
      break
    }
  }

  @Test func `are the newest for each action, and complete while a form is open`()
    async throws
  {
    let board = BoardDouble([FeedWorld.row, FeedWorld.sail], name: FeedWorld.ben)
    let snapshot = BoardSnapshot(board)
    defer { snapshot.stop() }
    await snapshot.firstRead()
    let (wording, ben) = (BoardWording(timeZone: .gmt), FeedWorld.ben)
    let store = try InMemoryPersistenceService(migrations: HarborTables.migrations)
    let environment = FeedEnvironment(
      activities: SharedActivities(board: board, snapshot: snapshot), names: board,
      wording: wording, now: { Board.now }, pause: { _ in await Gate().wait() },
      personal: PagePart(snapshot, BrowserName(NameRepository(store: store), browser: "test"))
        .board,
      beginning: { .init(activities: snapshot.value, person: ben) })
    let model = ViewModel(
      FeedInteractor(environment: environment), reducer: FeedReducer(wording: wording))
    func cards() -> [FeedViewState.Card] { model.viewState.days.flatMap(\.cards) }
    model.send(.appear)
    let theirs = Self.changed {
      $0.details = FeedWorld.details("Row slowly")
      $0.revision = 2
    }
    board.change { $0 = [theirs, FeedWorld.sail] }
    await until { snapshot.value?.first == theirs }
    model.send(.edit(id: "row"))
    #expect(cards().compactMap(\.editor).map(\.title.text) == ["Row slowly"])
    #expect(cards().compactMap(\.editor).map(\.revision) == [2])
    board.change { $0 = [theirs] }
    await until { cards().map(\.id) == ["row"] }
    model.send(.cancelEditing(id: "row"))
    // The action ends, so the page gets its answer.
    await model.send(.setName(name: "Cora")).finish()
    board.change { $0[0].participants = [Self.cora] }
    await until { cards().map(\.isJoined) == [true] }
  }

  @Test func `are only those of the person again after a form is saved`() async throws {
    let board = BoardDouble([FeedWorld.row], name: FeedWorld.ben)
    let (wording, row, ben) = (BoardWording(timeZone: .gmt), FeedWorld.row, FeedWorld.ben)
    let parts = Mutex<[PersonalBoard.Part]>([])
    let environment = FeedEnvironment(
      activities: board, names: board, wording: wording, now: { Board.now },
      pause: { _ in await Gate().wait() },
      personal: PersonalBoard(
        activities: { board.activities() }, show: { part in parts.withLock { $0.append(part) } }),
      beginning: { .init(activities: [row], person: ben) })
    let model = ViewModel(
      FeedInteractor(environment: environment), reducer: FeedReducer(wording: wording))
    model.send(.appear)
    model.send(.edit(id: "row"))
    let form = ActivityForm(title: "Row fast", start: "2026-05-10T18:00")
    await model.send(.save(id: "row", form: form)).finish()
    #expect(model.viewState.announcements.map(\.text) == ["“Row fast” is saved."])
    let person = PersonalBoard.Part.person(ben)
    #expect(parts.withLock { $0 } == [person, .whole, person])
    // The page does not retain the activities of other people.
    #expect(model.viewState.days.isEmpty)
  }

  /// The page keeps only as many activities as its window can show.
  @Test func `of a window are replaced by later ones when the first ones end`() async {
    let own = (0..<60).map { hour in
      var activity = FeedWorld.activity("\(hour)", "Hour", [FeedWorld.ben])
      activity.details = ActivityDetails(
        title: "Hour", place: nil, notes: nil,
        start: Board.now.addingTimeInterval(3_600 * Double(hour) + 60))
      return activity
    }
    let board = BoardDouble(own, name: FeedWorld.ben)
    let (wording, tick, ben) = (BoardWording(timeZone: .gmt), Gate(), FeedWorld.ben)
    let ticks = Mutex(0)
    let time = Mutex(Board.now)
    var environment = FeedEnvironment(
      activities: board, names: board, wording: wording, now: { time.withLock { $0 } },
      pause: { _ in
        let number = ticks.withLock { ticks in
          ticks += 1
          return ticks
        }
        await (number == 1 ? tick : Gate()).wait()
      },
      personal: PersonalBoard(activities: { board.activities() }, show: { _ in }),
      beginning: { .init(activities: Activities(own), person: ben) })
    environment.window = .first
    let model = ViewModel(
      FeedInteractor(environment: environment),
      reducer: PersonalReducer(wording: wording, window: .first))
    func shown() -> [Int] { model.viewState.mine.keys.compactMap { Int($0) }.sorted() }
    model.send(.appear)
    await until { shown() == Array(0..<25) }
    // An activity without an end takes three hours.
    time.withLock { $0 += 3_600 * 13 }
    tick.open()
    await until { shown() == Array(10..<35) }
  }

  @Test func `contain the activity of a slow join until it ends`() async {
    let board = BoardDouble([FeedWorld.row], name: FeedWorld.ben)
    let (wording, row, ben) = (BoardWording(timeZone: .gmt), FeedWorld.row, FeedWorld.ben)
    let (slow, stored) = (Gate(), Gate())
    board.hold(at: stored)
    let environment = FeedEnvironment(
      activities: board, names: board, wording: wording, now: { Board.now },
      pause: { await ($0 == .milliseconds(150) ? slow : Gate()).wait() },
      personal: PersonalBoard(activities: { board.activities() }, show: { _ in }),
      beginning: { .init(activities: [row], person: ben) })
    let model = ViewModel(
      FeedInteractor(environment: environment), reducer: PersonalReducer(wording: wording))
    model.send(.appear)
    model.send(.join(id: "row"))
    #expect(model.viewState.mine.isEmpty)
    slow.open()
    await until { model.viewState.mine["row"]?.isBusy == true }
    stored.open()
    await until { model.viewState.mine["row"]?.isBusy == false }
    #expect(model.viewState.mine["row"]?.isJoined == true)
  }

  @Test func `are shown again after a failure, and the page shows the failure until then`()
    async throws
  {
    let board = BoardDouble([FeedWorld.row])
    let snapshot = BoardSnapshot(board)
    defer { snapshot.stop() }
    await snapshot.firstRead()
    let (wording, retry) = (BoardWording(timeZone: .gmt), Gate())
    let environment = FeedEnvironment(
      activities: SharedActivities(board: board, snapshot: snapshot), names: board,
      wording: wording, now: { Board.now },
      pause: { await ($0 == .seconds(60) ? Gate() : retry).wait() })
    let model = ViewModel(
      FeedInteractor(environment: environment), reducer: BoardReducer(wording: wording))
    model.send(.appear)
    await until { !model.viewState.days.isEmpty }
    board.fail(.notRead(reason: "Disk broken."))
    await until { model.viewState.failure.contains("Disk broken.") }
    board.change { $0 = [] }
    retry.open()
    await until { model.viewState.isEmpty && model.viewState.failure.isEmpty }
    #expect(snapshot.value == [])
  }
}
