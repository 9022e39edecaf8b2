import Causeway
import Observation

// snippet
@MainActor @Observable final class HarbourClock {
  private(set) var minutes = 0
  private var ticking: Task<Void, Never>?

  func start<C: Clock>(on clock: C) where C.Duration == Duration {
    ticking?.cancel()
    ticking = Task { [weak self] in
      while (try? await clock.sleep(for: .seconds(60))) != nil {
        self?.minutes += 1  // on the main actor, as the code around the task
      }
    }
  }

  isolated deinit { ticking?.cancel() }
}
// end

// snippet
struct Countdown: Interactor {
  struct State: Equatable, Sendable {
    var minutes: Int
  }

  enum Action: Sendable {
    case start, stop
  }

  let minutes: Int

  var body: some InteractorOf<Self> {
    InteractWithValues(initialValue: State(minutes: minutes)) { state, action, values in
      switch action {
      case .start:
        return .perform(.latest, id: "countdown") { [minutes = state.minutes] send in
          for await minute in values[.clock].timer(every: .seconds(60)).prefix(minutes) {
            await send { $0.minutes = minutes - minute }
          }
        }
      case .stop:
        return .cancel("countdown")
      }
    }
  }
}
// end
