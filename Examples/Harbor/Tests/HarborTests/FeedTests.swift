import Causeway
import CausewayData
import CausewaySQLite
import Foundation
import HarborDomain
import HarborFeatures
import Testing

@MainActor
@Suite struct `A feed` {
  @Test func `shows the board by day, as text`() async throws {
    let board = try await Board()
    try await board.create("Row", place: "Slip 2", hours: 2)
    try await board.create("Sail", hours: 22)
    try await board.create("Swim", hours: 24 * 8)
    let feed = Feed(board)
    let state = try await feed.wait { $0.days.count == 3 }
    #expect(state.summary == "3 activities ahead, the next in 2 hours.")
    #expect(state.days.map(\.name) == ["Today", "Tomorrow", "Sunday"])
    #expect(state.days.map(\.date) == ["Saturday 9 May", "Sunday 10 May", "17 May"])
    let cards = state.days.flatMap(\.cards)
    #expect(cards.map(\.time) == ["12:40", "08:40", "10:40"])
    #expect(cards.map(\.distance) == ["in 2 hours", "", "in 8 days"])
    #expect(cards.first?.names == "Ana")
    #expect(cards.first?.host == "Ana hosts")
    #expect(!state.isLoading && !state.isEmpty && state.failure.isEmpty)
  }

  @Test func `starts with the stored board, or with a loading message`() async throws {
    let board = try await Board()
    let activity = try await board.create("Row")
    #expect(Feed(board, appears: false).model.viewState.isLoading)
    let known = Feed(board, appears: false, beginning: .init(activities: [activity]))
    #expect(!known.model.viewState.isLoading)
    #expect(known.model.viewState.days.count == 1)
  }

  @Test func `creates an activity and shows an empty form again`() async throws {
    let board = try await Board()
    let feed = Feed(board)
    feed.model.send(.setName(name: "Ana"))
    await feed.model.send(.create(form: feed.form("Row"), attempt: 0)).finish()
    let state = try await feed.wait { !$0.days.isEmpty }
    #expect(state.attempt == 1)
    #expect(state.composer.title.text.isEmpty)
    #expect(state.announcements.map(\.text) == ["“Row” is on the board."])
    #expect(try await board.list().map(\.details.title) == ["Row"])
  }

  @Test func `treats a second press of the button as the same activity`() async throws {
    let board = try await Board()
    let feed = Feed(board)
    feed.model.send(.setName(name: "Ana"))
    let first = feed.model.send(.create(form: feed.form("Row"), attempt: 0))
    let second = feed.model.send(.create(form: feed.form("Row"), attempt: 0))
    let other = feed.model.send(.create(form: feed.form("Sail"), attempt: 0))
    for task in [first, second, other] { await task.finish() }
    #expect(try await board.list().map(\.details.title).sorted() == ["Row", "Sail"])
  }

  @Test func `rejects an invalid form at once, names the fields and writes nothing`() async throws {
    let board = try await Board()
    let feed = Feed(board)
    feed.model.send(.setName(name: "Ana"))
    feed.model.send(
      .create(form: ActivityForm(title: " ", start: "2026-02-30T10:00"), attempt: 0))
    let state = feed.model.viewState
    #expect(state.isRefused)
    #expect(state.composer.title.problem.hasPrefix("Give it a title"))
    #expect(state.composer.title.invalid == "true")
    #expect(state.composer.start.problem == "Choose a date and a time.")
    #expect(state.composer.notes.problem.isEmpty)
    #expect(try await board.list().isEmpty)
  }

  @Test func `asks for a name first and then continues the waiting action`() async throws {
    let board = try await Board()
    let activity = try await board.create("Row")
    let feed = Feed(board)
    feed.model.send(.join(id: activity.id))
    #expect(feed.model.viewState.you.isAsked)
    feed.model.send(.setName(name: "   "))
    #expect(feed.model.viewState.you.problem.hasPrefix("Type your name"))
    await feed.model.send(.setName(name: "Ben")).finish()
    #expect(!feed.model.viewState.you.isNaming)
    #expect(try await board.list().first?.participants == [board.ana, board.ben])
    #expect(try await board.names.remembered() == board.ben)
  }

  @Test func `returns a form whose write failed`() async throws {
    let board = try await Board()
    let feed = Feed(board)
    await feed.model.send(.setName(name: "Ana")).finish()
    try await board.store.close()
    let form = feed.form("Row", notes: "Gloves")
    await feed.model.send(.create(form: form, attempt: 0)).finish()
    let composer = feed.model.viewState.composer
    #expect(composer.title.text == "Row")
    #expect(composer.notes.text == "Gloves")
    #expect(composer.problem.hasPrefix("This could not be saved, and nothing was changed."))
    #expect(!composer.isSaving)
    feed.model.send(.join(id: "gone"))
    await feed.model.send(.delete(id: "gone")).finish()
    #expect(!feed.model.viewState.problem.isEmpty)
    feed.model.send(.dismissProblem)
    #expect(feed.model.viewState.problem.isEmpty)
  }

  @Test func `keeps the date to the second when an edit does not change it`() async throws {
    let board = try await Board()
    let activity = try await board.create("Row", hours: 2.0041)
    let feed = Feed(board)
    var form = try await feed.edit(activity)
    form.title = "Row fast"
    await feed.model.send(.save(id: activity.id, form: form)).finish()
    let saved = try await board.list()
    #expect(saved.first?.details.title == "Row fast")
    #expect(saved.first?.details.start == activity.details.start)
    #expect(
      try await feed.wait { $0.days[0].cards[0].title == "Row fast" }.announcements.count == 1)
  }

  @Test func `reports that another person changed the edited activity`() async throws {
    let board = try await Board()
    let activity = try await board.create("Row")
    let feed = Feed(board)
    var form = try await feed.edit(activity)
    try await board.activities.update(activity.id, to: board.details("Sail"), basedOn: 1)
    form.title = "Row fast"
    await feed.model.send(.save(id: activity.id, form: form)).finish()
    let editor = feed.model.viewState.days.first?.cards.first?.editor
    #expect(editor?.problem.contains("Your text is still here") == true)
    #expect(try await board.list().first?.details.title == "Sail")
    await feed.model.send(.save(id: activity.id, form: form)).finish()
    #expect(try await board.list().first?.details.title == "Row fast")
  }

  @Test func `keeps the form of an activity that another person deletes, and can restore it`()
    async throws
  {
    let board = try await Board()
    let activity = try await board.create("Row")
    let feed = Feed(board)
    let form = try await feed.edit(activity)
    try await board.activities.delete(activity.id)
    try await feed.wait { $0.summary.hasPrefix("Nothing planned") }
    #expect(feed.model.viewState.days.first?.cards.first?.editor != nil)
    await feed.model.send(.save(id: activity.id, form: form)).finish()
    let editor = feed.model.viewState.days.first?.cards.first?.editor
    #expect(editor?.problem.contains("save again to put it back") == true)
    await feed.model.send(.save(id: activity.id, form: form)).finish()
    #expect(try await board.list().map(\.details) == [activity.details])
  }

  @Test func `reports that the board cannot be read, and reads it again on request`() async throws {
    let board = try await Board()
    try await board.store.write { try $0.execute("DROP VIEW activity") }
    let feed = Feed(board)
    let state = try await feed.wait { !$0.failure.isEmpty }
    #expect(state.failure.hasPrefix("The board could not be read."))
    #expect(!state.isLoading && !state.isEmpty)
    try await board.store.write { transaction in
      try transaction.execute(
        "CREATE VIEW activity AS SELECT *, 0 AS syncPending FROM activity_base")
    }
    feed.model.send(.appear)
    try await feed.wait { $0.failure.isEmpty && $0.isEmpty }
  }

  @Test func `updates with the clock`() async throws {
    let board = try await Board()
    try await board.create("Row", hours: 1.5)
    let clock = ManualClock()
    let feed = Feed(board, clock: clock)
    try await feed.wait { $0.days.first?.cards.first?.distance == "in 2 hours" }
    await clock.advance(by: 3_600)
    try await feed.wait { $0.days.first?.cards.first?.distance == "in 30 minutes" }
    await clock.advance(by: 3_600)
    try await feed.wait { $0.days.first?.cards.first?.distance == "under way" }
    await clock.advance(by: 3 * 3_600)
    let over = try await feed.wait { $0.days.first?.isOver == true }
    #expect(over.days.first?.cards.first?.canJoin == false)
    #expect(over.summary == "Nothing planned at the moment.")
  }
}
