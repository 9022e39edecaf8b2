import Causeway
import CausewayData
import Foundation
import HarborDomain

typealias FeedEmission = Emission<FeedInteractor.State, FeedInteractor.Action>

/// Following the board, and changing its activities.
extension FeedInteractor {
  func appear(_ state: inout State) -> FeedEmission {
    state.boardProblem = nil
    state.now = surroundings.now()
    return .merge(showPart(&state), followBoard(), followClock(), recallName())
  }

  /// Reads the newest board, because a page that shows a part of the board may have an old one.
  func readNewestBoard(_ state: inout State) {
    guard state.part != nil, let newest = surroundings.beginning().activities else { return }
    state.activities = newest
  }

  /// Shows another part after an action has changed the person, or has opened or closed a form.
  func showOtherPart(after emission: FeedEmission, _ state: inout State) -> FeedEmission {
    guard let part = state.part, part != state.wantedPart else { return emission }
    return .merge(emission, showPart(&state))
  }

  private func showPart(_ state: inout State) -> FeedEmission {
    guard let personal = surroundings.personal else { return .state }
    let part = state.wantedPart
    state.part = part
    return .perform(.serial, id: "part of the board") { _ in personal.show(part) }
  }

  func join(_ id: Activity.ID, _ state: inout State) -> FeedEmission {
    guard let person = state.person else { return ask(for: .join(id: id), &state) }
    return write(id, &state) { [activities] in try await activities.join(id, as: person) }
  }

  func leave(_ id: Activity.ID, _ state: inout State) -> FeedEmission {
    guard let person = state.person else { return .state }
    return write(id, &state) { [activities] in try await activities.leave(id, as: person) }
  }

  func delete(_ id: Activity.ID, _ state: inout State) -> FeedEmission {
    // A card with an open form would stay on the page, because the form's text must not be lost.
    state.editors[id] = nil
    return write(id, &state, announcing: wording.deleted) { [activities] in
      try await activities.delete(id)
    }
  }

  func dismissProblem(_ state: inout State) -> FeedEmission {
    state.problem = nil
    return .state
  }

  /// Follows the board; after a failure, shows the problem and tries again.
  private func followBoard() -> FeedEmission {
    let first = board
    return .observe(id: "board") { [self, surroundings] _, send in
      let backoff = Backoff(cap: .seconds(60))
      var (board, failures) = (first, 0)
      while true {
        do {
          for try await activities in board {
            failures = 0
            await send { state in
              state.activities = activities
              state.boardProblem = nil
              state.keepShownPart(in: surroundings.window)
            }
          }
          return
        } catch {
          try Task.checkCancellation()
          await send { $0.boardProblem = Sentence.of(error) }
        }
        failures += 1
        try await surroundings.pause(backoff.delay(afterAttempts: failures))
        board = await self.board
      }
    }
  }

  private var board: AsyncThrowingStream<Activities, any Error> {
    surroundings.personal?.activities() ?? activities.activities()
  }

  /// Updates the time, because texts such as “tomorrow” and “in 20 minutes” depend on it.
  private func followClock() -> FeedEmission {
    .stay(.latest, id: "clock") { [self, surroundings] send in
      while true {
        try await surroundings.pause(.seconds(60))
        send { state in
          state.now = surroundings.now()
          // As activities end, the window shows later ones, which the page may not have kept.
          readNewestBoard(&state)
          state.keepShownPart(in: surroundings.window)
        }
      }
    }
  }

  /// Writes of one activity run one after the other, in the order of their actions.
  ///
  /// A quick write sends nothing when it ends: the new board shows its result, and another send
  /// would reduce the page and reach the browser again. A slow write marks the activity until it
  /// ends. The problem of a failed write names the activity, because the person may look at another
  /// page by then.
  private func write(
    _ id: Activity.ID, _ state: inout State, announcing announcement: ((String) -> String)? = nil,
    _ work: @escaping @Sendable () async throws -> Void
  ) -> FeedEmission {
    let title = state.activity(id)?.details.title
    let text = title.flatMap { announcement?($0) }
    state.problem = nil
    return .perform(.serial, id: EffectID("activity \(id)")) { [self, surroundings] send in
      let isSlow = try await withThrowingTaskGroup { group in
        group.addTask {
          try await surroundings.pause(.milliseconds(150))
          await send { state in
            state.busy.insert(id)
            // The page now shows this activity itself, but the state of the page may not contain
            // the activity.
            readNewestBoard(&state)
            state.keepShownPart(in: surroundings.window)
          }
        }
        try await work()
        group.cancelAll()
        // The pause of a quick write is cancelled, so it throws.
        return (try? await group.next()) != nil
      }
      guard isSlow || text != nil else { return }
      await send { state in
        state.busy.remove(id)
        if let text { state.announce(text) }
      }
    } catch: { state, error in
      state.busy.remove(id)
      state.problem = (title.map { "“\($0)”: " } ?? "") + Sentence.of(error)
    }
  }
}
