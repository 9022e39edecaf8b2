import Causeway
import Foundation
import HarborDomain
import HarborFeatures
import Synchronization

/// A feed in front of a board, in UTC, at the board's fixed time.
@MainActor
struct Feed {
  let model: ViewModel<FeedViewState, FeedInteractor.Action>

  init(
    _ board: Board, appears: Bool = true, clock: ManualClock = ManualClock(),
    beginning: FeedEnvironment.Beginning = .init()
  ) {
    let wording = BoardWording(timeZone: .gmt)
    let environment = FeedEnvironment(
      activities: board.activities, names: board.names, wording: wording,
      now: { clock.now }, pause: { _ in try await clock.pause() }, beginning: { beginning })
    model = ViewModel(
      FeedInteractor(environment: environment), reducer: FeedReducer(wording: wording))
    if appears { model.send(.appear) }
  }

  func form(_ title: String, notes: String = "", start: String = "2026-05-10T18:00") -> ActivityForm
  {
    ActivityForm(title: title, notes: notes, start: start)
  }

  /// The first view state from now on that meets a condition.
  @discardableResult
  func wait(until condition: (FeedViewState) -> Bool) async throws -> FeedViewState {
    for await state in model.states where condition(state) { return state }
    throw CancellationError()
  }

  /// Opens an activity's form and returns its content.
  func edit(_ activity: Activity) async throws -> ActivityForm {
    try await wait { state in
      state.days.contains { $0.cards.contains { $0.id == activity.id } }
    }
    model.send(.edit(id: activity.id))
    let state = try await wait { state in
      state.days.contains { $0.cards.contains { $0.editor != nil } }
    }
    let form = state.days.flatMap(\.cards).compactMap(\.editor)[0]
    return ActivityForm(
      title: form.title.text, place: form.place.text, notes: form.notes.text,
      start: form.start.text)
  }
}

/// A clock that stands still until a test advances it.
final class ManualClock: Sendable {
  private struct State {
    var now = Board.now
    var ticks: [AsyncStream<Void>.Continuation] = []
  }
  private let state = Mutex(State())
  private let waiting = AsyncStream.makeStream(of: Void.self)

  var now: Date { state.withLock { $0.now } }

  /// Waits for the next advance.
  func pause() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    state.withLock { $0.ticks.append(continuation) }
    waiting.continuation.yield()
    for await _ in stream { return }
    throw CancellationError()
  }

  /// Waits for a waiter, then advances the time and resumes all waiters.
  func advance(by seconds: TimeInterval) async {
    for await _ in waiting.stream { break }
    let ticks = state.withLock { state in
      state.now += seconds
      defer { state.ticks = [] }
      return state.ticks
    }
    for tick in ticks { tick.yield() }
  }
}
