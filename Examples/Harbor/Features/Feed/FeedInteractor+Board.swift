import Causeway
import Foundation
import HarborDomain

typealias FeedEmission = Emission<FeedInteractor.State, FeedInteractor.Action>

/// Following the board, and changing its activities.
extension FeedInteractor {
  func appear(_ state: inout State) -> FeedEmission {
    state.boardProblem = nil
    state.now = surroundings.now()
    if surroundings.personal != nil { state.following = Following(state) }
    return .merge(followBoard(state), followClock(), recallName())
  }

  /// Reads the newest board, because a page that follows one person's activities has an old one.
  func readNewestBoard(_ state: inout State) {
    guard state.following != nil, let newest = surroundings.beginning().activities else { return }
    state.activities = newest
  }

  /// Follows other activities after an action has changed the person or has opened or closed a form.
  func followOtherBoard(after emission: FeedEmission, _ state: inout State) -> FeedEmission {
    guard let following = state.following, following != Following(state) else { return emission }
    state.following = Following(state)
    return .merge(emission, followBoard(state))
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
    let title = state.activity(id)?.details.title
    // A card with an open form would stay, to keep the text.
    state.editors[id] = nil
    return write(id, &state, announcing: title.map(wording.deleted)) { [activities] in
      try await activities.delete(id)
    }
  }

  func dismissProblem(_ state: inout State) -> FeedEmission {
    state.problem = nil
    return .state
  }

  /// Follows the board; after a failure, shows the problem and tries again.
  private func followBoard(_ state: State) -> FeedEmission {
    let first = (state.following, board(state.following))
    return .observe(id: "board") { [self, surroundings] current, send in
      let shortest = Duration.seconds(1)
      var ((following, board), delay) = (first, shortest)
      follow: while true {
        do {
          for try await activities in board {
            delay = shortest
            await send { state in
              state.activities = activities
              state.boardProblem = nil
              // A save closes its form without an action.
              if state.following != nil { state.following = Following(state) }
            }
            let wanted = await current.following
            if wanted != following {
              (following, board) = (wanted, await self.board(wanted))
              continue follow
            }
          }
          return
        } catch {
          try Task.checkCancellation()
          await send { $0.boardProblem = "\(error)" }
        }
        try await surroundings.pause(delay)
        delay = min(delay * 2, .seconds(60))
        board = await self.board(following)
      }
    }
  }

  private func board(_ following: Following?) -> AsyncThrowingStream<[Activity], any Error> {
    switch (following, surroundings.personal) {
    case (.person(let person)?, let personal?): personal(person)
    default: activities.activities()
    }
  }

  /// Updates the time, because texts such as “tomorrow” and “in 20 minutes” depend on it.
  private func followClock() -> FeedEmission {
    .perform(.latest, id: "clock") { [surroundings] send in
      while true {
        try await surroundings.pause(.seconds(60))
        await send { $0.now = surroundings.now() }
      }
    }
  }

  /// Writes of one activity run one after the other, in the order of their actions.
  private func write(
    _ id: Activity.ID, _ state: inout State, announcing text: String? = nil,
    _ work: @escaping @Sendable () async throws -> Void
  ) -> FeedEmission {
    state.problem = nil
    state.beginWrite(id)
    return .perform(.serial, id: EffectID("activity \(id)")) { send in
      try await work()
      await send { state in
        state.endWrite(id)
        if let text { state.announce(text) }
      }
    } catch: { state, error in
      state.endWrite(id)
      state.problem = "\(error)"
    }
  }
}
