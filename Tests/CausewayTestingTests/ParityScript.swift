import Causeway

/// One operation of a script, on a view model or a test model.
enum ParityMove: Sendable {
  case send(ParityFeature.Action)
  /// Opens the oldest closed gate.
  case release
  /// Advances the time: debounced effects start, and then throttling windows end.
  case passTime
}

/// Makes the moves of a script, the same for the same seed.
struct ParityScript {
  private typealias Action = ParityFeature.Action

  /// The topic of the script.
  ///
  /// Rare operations have their own scripts, in which they occur together.
  private enum Subject: UInt64 {
    case effects, children, time
  }

  private var random: Random
  private let subject: Subject
  private var holds = 0

  init(seed: UInt64) {
    random = Random(state: seed)
    subject = Subject(rawValue: seed % 3) ?? .effects
  }

  static func moves(seed: UInt64) -> [ParityMove] {
    var script = ParityScript(seed: seed)
    return (0..<12).map { _ in script.next() }
  }

  private mutating func next() -> ParityMove {
    let isSubject = number(below: 4) > 0
    return switch subject {
    case .children where isSubject: child()
    case .time where isSubject: time()
    default: effect()
    }
  }

  private mutating func effect() -> ParityMove {
    let policies: [EffectPolicy] = [.parallel, .latest, .first, .serial]
    let id = number(below: 2)
    switch number(below: 13) {
    case 0: return .send(.add(1 + number(below: 8)))
    case 1: return .send(.chain(3))
    case 2: return .send(.burst(3))
    case 3, 4:
      let gate = makeGate()
      // One policy for each id, as in a feature.
      return .send(
        .hold(gate: gate, id: id + 2 * (gate % 2), policy: policies[id + 2 * (gate % 2)]))
    case 5: return .send(.cancel(id: number(below: 4)))
    case 6: return .send(.fail)
    case 7: return .send(.inSequence(7, 8))
    case 8: return .send(.elements(5))
    case 9: return .send(.showSheet(id == 0))
    case 10: return .send(.sheet(.count))
    case 11: return .send(.sheet(.hold(gate: makeGate())))
    default: return .release
    }
  }

  private mutating func child() -> ParityMove {
    let id = number(below: 2)
    let action: ParityChild.Action =
      switch number(below: 4) {
      case 0: .count
      case 1: .cancel
      default: .hold(gate: makeGate())
      }
    return switch number(below: 12) {
    case 0: .send(.addRow(id))
    case 1: .send(.removeRow(id))
    case 2, 3, 4: .send(.row(id, action))
    case 5: .send(.panel(action))
    case 6: .send(.phase(id == 0 ? .start : .stop))
    case 7, 8: .send(.phase(.running(action)))
    default: .release
    }
  }

  private mutating func time() -> ParityMove {
    let number = number(below: 100)
    return switch self.number(below: 8) {
    case 0, 1: .send(.debounced(number))
    case 2, 3: .send(.throttled(number))
    case 4: .send(.tapped(number))
    case 5: .send(.cancel(id: number % 2 == 0 ? Action.debouncedID : Action.throttledID))
    default: .passTime
    }
  }

  private mutating func number(below bound: Int) -> Int {
    Int.random(in: 0..<bound, using: &random)
  }

  private mutating func makeGate() -> Int {
    holds += 1
    return holds
  }
}

/// A linear congruential generator, with Knuth's constants.
private struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 32) | (state << 32)
  }
}
