import Causeway
import TestSupport

/// A child that counts.
///
/// Its effects have the same ids as those of its parent and other children.
struct ParityChild: Interactor {
  enum Action: Sendable {
    case count
    /// An effect that waits at a gate and then sends.
    case hold(gate: Int)
    case cancel
  }

  let gates: Gates

  var body: some Interactor<Int, Action> {
    Interact(initialValue: 0) { [gates] count, action in
      count += 1
      switch action {
      case .count:
        return .state
      case .hold(let gate):
        return .perform(.latest, id: EffectID(0)) { send in
          await gates[gate].wait()
          await send { $0 += 100 }
          await send(.count)
        }
      case .cancel:
        return .cancel(EffectID(0))
      }
    }
  }
}

/// A row with a child in it.
struct ParityRow: Interactor {
  struct State: Identifiable, Sendable, Equatable {
    let id: Int
    var count = 0
  }

  let gates: Gates

  var body: some Interactor<State, ParityChild.Action> {
    Interact(initialValue: State(id: 0)) { (_: inout State, _: ParityChild.Action) in .state }
      .scope(state: \.count, action: \.self, embed: \.self) { ParityChild(gates: gates) }
  }
}

/// A feature that is idle or running.
///
/// A child exists while it runs.
struct ParityPhase: Interactor {
  enum State: Sendable, Equatable {
    case idle
    case running(Int)

    var running: Int? {
      if case .running(let count) = self { count } else { nil }
    }
  }

  enum Action: Sendable {
    case start, stop
    case running(ParityChild.Action)

    var running: ParityChild.Action? {
      if case .running(let action) = self { action } else { nil }
    }
  }

  let gates: Gates

  var body: some InteractorOf<Self> {
    Interact(initialValue: State.idle) { (state: inout State, action: Action) in
      switch action {
      case .start: state = .running(0)
      case .stop: state = .idle
      case .running: break
      }
      return .state
    }
    .ifCase(\.running, embed: State.running, action: \.running, embed: Action.running) {
      ParityChild(gates: gates)
    }
  }
}
