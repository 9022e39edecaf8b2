import Foundation
import HarborDomain
import TestSupport
import Testing

@testable import HarborFeatures

/// The page consists of the shared board and the parts of one person.
@MainActor
@Suite struct `A person's page` {
  private let wording = BoardWording(timeZone: .gmt)

  private func state(_ activities: [Activity]?, _ person: PersonName?) -> FeedInteractor.State {
    FeedInteractor.State(
      now: Board.now, form: wording.emptyForm(at: Board.now),
      beginning: .init(activities: activities.map { Activities($0) }, person: person))
  }

  /// The days that the page shows: the shared ones, with the person's own members of their cards.
  private func shown(_ shared: FeedInteractor.State, _ own: FeedInteractor.State)
    -> [FeedViewState.Day]
  {
    let personal = PersonalReducer(wording: wording).reduce(own)
    var days = personal.days ?? BoardReducer(wording: wording).reduce(shared).days
    for day in days.indices {
      days[day].cards = days[day].cards.map { shared in
        guard let own = personal.mine[shared.id] else { return shared }
        var card = shared
        card.host = own.host ?? shared.host
        card.isOwn = own.isOwn
        (card.isJoined, card.canJoin, card.canLeave) = (own.isJoined, own.canJoin, own.canLeave)
        (card.isBusy, card.isEditing) = (own.isBusy, own.isEditing)
        card.editor = own.editor ?? shared.editor
        return card
      }
    }
    return days
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `shows the same content as one reducer for the whole page`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let names = ["Ana", "Ben", "Cora"].map { PersonName(stored: $0) }
    let activities = (0..<Int.random(in: 0..<8, using: &random)).map { index in
      var activity = FeedWorld.activity(
        "\(index)", "Title \(index)", names.filter { _ in Bool.random(using: &random) })
      activity.host = names[Int.random(in: 0..<3, using: &random)]
      activity.details = ActivityDetails(
        title: activity.details.title, place: nil, notes: nil,
        start: Board.now.addingTimeInterval(
          3_600 * Double(Int.random(in: -30..<60, using: &random))))
      return activity
    }
    var own = state(activities, Bool.random(using: &random) ? names[0] : nil)
    own.composer.isOpen = Bool.random(using: &random)
    own.problem = Bool.random(using: &random) ? "A problem." : nil
    for activity in activities where Int.random(in: 0..<4, using: &random) == 0 {
      own.busy.insert(activity.id)
    }
    // The edited activity may be one that another person has deleted.
    let edited = activities + [FeedWorld.activity("gone", "Gone", [names[1]])]
    if Bool.random(using: &random), let original = edited.randomElement(using: &random) {
      own.editors[original.id] = FeedInteractor.Editor(
        original: original, revision: 1,
        sheet: FeedInteractor.Sheet(form: wording.form(original.details)))
    }
    let shared = state(activities, nil)
    let whole = FeedReducer(wording: wording).reduce(own)
    #expect(shown(shared, own) == whole.days)
    let board = BoardReducer(wording: wording).reduce(shared)
    #expect(board.summary == whole.summary && board.isLoading == whole.isLoading)
    #expect(board.failure == whole.failure)
    let personal = PersonalReducer(wording: wording).reduce(own)
    #expect(personal.you == whole.you && personal.composer == whole.composer)
    #expect(personal.problem == whole.problem && personal.isComposing == whole.isComposing)
  }

  @Test(arguments: 0..<UInt64(scaled(40)))
  func `has the texts of a new reducer after each change`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let names = ["Ana", "ana", "Ben", "Cora"].map { PersonName(stored: $0) }
    let reducer = FeedReducer(wording: wording)
    var (activities, now) = ([FeedWorld.row, FeedWorld.sail], Board.now)
    for step in 0..<60 {
      let index = Int.random(in: 0..<max(1, activities.count), using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: activities.append(FeedWorld.activity("\(step)", "Title \(step)", [names[2]]))
      case 1 where !activities.isEmpty: activities.remove(at: index)
      case 2 where !activities.isEmpty:
        activities[index].participants = names.filter { _ in Bool.random(using: &random) }
      case 3 where !activities.isEmpty:
        activities[index].details = ActivityDetails(
          title: "Moved", place: nil, notes: nil,
          start: now.addingTimeInterval(3_600 * Double(Int.random(in: -30..<60, using: &random))))
      case 4: now += 3_600 * Double(Int.random(in: 0..<20, using: &random))
      default: break
      }
      var own = state(activities, names.randomElement(using: &random))
      own.now = now
      if let busy = activities.randomElement(using: &random) { own.busy.insert(busy.id) }
      #expect(reducer.reduce(own) == FeedReducer(wording: wording).reduce(own), "step \(step)")
    }
  }

  /// A comparison of lists with the same storage takes constant time.
  @Test func `keeps the storage of days without a changed activity`() throws {
    let reducer = FeedReducer(wording: wording)
    var later = FeedWorld.activity("later", "Later", [])
    later.details = ActivityDetails(
      title: "Later", place: nil, notes: nil,
      start: FeedWorld.row.details.start.addingTimeInterval(5 * 86_400))
    func storage(_ activities: [Activity]) -> [UnsafeRawPointer?] {
      reducer.reduce(state(activities, nil)).days.map { day in
        day.cards.withUnsafeBytes { $0.baseAddress }
      }
    }
    let first = storage([FeedWorld.row, later])
    try #require(first.count == 2)
    later.participants = [PersonName(stored: "Zoe")]
    let second = storage([FeedWorld.row, later])
    #expect(second[0] == first[0])
    #expect(second[1] != first[1])
    #expect(storage([FeedWorld.row]) == [first[0]])
  }

  @Test func `keeps the form if the shared board loses the activity before the own parts change`() {
    var own = state([FeedWorld.row, FeedWorld.sail], PersonName(stored: "Zoe"))
    own.editors[FeedWorld.row.id] = FeedInteractor.Editor(
      original: FeedWorld.row, revision: 1,
      sheet: FeedInteractor.Sheet(form: wording.form(FeedWorld.row.details)))
    let shared = state([FeedWorld.sail], nil)
    let editors = shown(shared, own).flatMap(\.cards).filter { $0.editor != nil }
    #expect(editors.map(\.id) == [FeedWorld.row.id])
  }

  @Test func `does not change when other people join or leave, or edit the person's activities`() {
    var own = state([FeedWorld.row, FeedWorld.sail], FeedWorld.ana)
    let reducer = PersonalReducer(wording: wording)
    let before = reducer.reduce(own)
    own.activities?.change("row") {
      $0.participants.append(PersonName(stored: "Zoe"))
      $0.details = FeedWorld.details("Row slowly")
    }
    #expect(reducer.reduce(own) == before)
    own.activities?.change("row") { $0.participants.removeAll { $0 == FeedWorld.ana } }
    #expect(reducer.reduce(own) != before)
  }

  @Test func `has no cards of its own for a person without any part in the board`() {
    let own = state([FeedWorld.row, FeedWorld.sail], PersonName(stored: "Zoe"))
    let personal = PersonalReducer(wording: wording).reduce(own)
    #expect(personal.mine.isEmpty && personal.days == nil)
  }

  @Test func `formats only new activities while a form is open on a large board`() throws {
    var own = state((0...100).map { FeedWorld.activity("\($0)", "Title", []) }, nil)
    own.editors[FeedWorld.row.id] = FeedInteractor.Editor(
      original: FeedWorld.row, revision: 1,
      sheet: FeedInteractor.Sheet(form: wording.form(FeedWorld.row.details)))
    for activity in own.activities ?? [] {
      own.activities?.change(activity.id) {
        $0.host = PersonName(stored: "A person with a long name")
      }
    }
    let reducer = PersonalReducer(wording: wording)
    // A card that was not formatted again has the same text storage.
    let (first, second) = (reducer.reduce(own), reducer.reduce(own))
    func texts(_ state: PersonalViewState) throws -> [UnsafePointer<UInt8>?] {
      try #require(state.days).flatMap(\.cards).filter { $0.editor == nil }.map { card in
        card.host.utf8.withContiguousStorageIfAvailable(\.baseAddress) ?? nil
      }
    }
    #expect(try texts(first).count == 101)
    #expect(try texts(first) == texts(second))
  }
}
