import Causeway
import Synchronization
import TestSupport

/// A feature whose actions use every part of the runtime.
///
/// Its outcome does not depend on the speed of effects.
struct ParityFeature: Interactor {
  struct State: Sendable, Equatable {
    var numbers: [Int] = []
    var problems = 0
    var sheet: Int?
    var panel = 0
    var phase = ParityPhase.State.running(0)
    var rows = IdentifiedArray(uniqueElements: [ParityRow.State(id: 0)])
  }

  enum Action: Sendable {
    case add(Int)
    /// Feeds itself back until it reaches zero.
    case chain(Int)
    /// An effect that sends updates, then an action.
    case burst(Int)
    /// An effect that waits at a gate and then sends.
    case hold(gate: Int, id: Int, policy: EffectPolicy)
    case cancel(id: Int)
    case fail
    case inSequence(Int, Int)
    case elements(Int)
    case showSheet(Bool)
    case sheet(ParityChild.Action)
    case panel(ParityChild.Action)
    case phase(ParityPhase.Action)
    case addRow(Int)
    case removeRow(Int)
    case row(Int, ParityChild.Action)
    /// An action whose effect starts when time passes without another request.
    case debounced(Int)
    /// An action whose first effect starts at once, and whose last effect starts when time passes.
    case throttled(Int)
    /// An action whose effect starts only if no earlier one is running.
    case tapped(Int)

    static let debouncedID = 10
    static let throttledID = 11

    var sheet: ParityChild.Action? {
      if case .sheet(let action) = self { action } else { nil }
    }

    var panel: ParityChild.Action? {
      if case .panel(let action) = self { action } else { nil }
    }

    var phase: ParityPhase.Action? {
      if case .phase(let action) = self { action } else { nil }
    }

    var row: (Int, ParityChild.Action)? {
      if case .row(let id, let action) = self { (id, action) } else { nil }
    }

    /// The gate at which its effect waits.
    var gate: Int? {
      switch self {
      case .hold(let gate, _, _), .sheet(.hold(let gate)), .panel(.hold(let gate)),
        .phase(.running(.hold(let gate))), .row(_, .hold(let gate)):
        gate
      default: nil
      }
    }
  }

  struct Problem: Error {}

  let gates: Gates

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [gates] state, action in
      switch action {
      case .add(let number):
        state.numbers.append(number)
        return .state
      case .chain(let number):
        state.numbers.append(-number)
        return number > 0 ? .action(.chain(number - 1)) : .state
      case .burst(let count):
        return .perform { send in
          for number in 0..<count { await send { $0.numbers.append(number) } }
          await send(.add(100))
        }
      case .hold(let gate, let id, let policy):
        return .perform(policy, id: EffectID(id)) { send in
          await gates[gate].wait()
          await send { $0.numbers.append(1000 + gate) }
          await send(.chain(1))
        }
      case .cancel(let id):
        return .cancel(EffectID(id))
      case .fail:
        return .perform { _ in
          throw Problem()
        } catch: { state, _ in
          state.problems += 1
        }
      case .inSequence(let first, let second):
        return .sequence(
          .perform { send in await send(.add(first)) },
          .action(.add(second)),
          .perform { send in await send { $0.numbers.append(first + second) } })
      case .elements(let count):
        return .observe(Numbers(count: count)) { state, number in state.numbers.append(number) }
      case .showSheet(let isShown):
        state.sheet = isShown ? 0 : nil
        return .state
      case .addRow(let id):
        state.rows.updateOrAppend(ParityRow.State(id: id))
        return .state
      case .removeRow(let id):
        state.rows.remove(id: id)
        return .state
      case .debounced(let number):
        return .perform(.debounce(for: .seconds(1)), id: EffectID(Action.debouncedID)) { send in
          await send { $0.numbers.append(2000 + number) }
          await send(.chain(1))
        }
      case .throttled(let number):
        let policy = EffectPolicy.throttle(for: .seconds(2), latest: true)
        return .perform(policy, id: EffectID(Action.throttledID)) { send in
          await send { $0.numbers.append(3000 + number) }
          await send(.add(number))
        }
      case .tapped(let number):
        return .perform(.throttle(for: .seconds(3600), latest: false), id: "tap") { send in
          await send(.add(number))
        }
      case .sheet, .panel, .phase, .row:
        return .state
      }
    }
    .ifLet(\.sheet, action: \.sheet, embed: Action.sheet) { ParityChild(gates: gates) }
    .scope(state: \.panel, action: \.panel, embed: Action.panel) { ParityChild(gates: gates) }
    .scope(state: \.phase, action: \.phase, embed: Action.phase) { ParityPhase(gates: gates) }
    .forEach(\.rows, action: \.row, embed: Action.row) { ParityRow(gates: gates) }
    .onChange(of: \.problems) { state, problems in
      state.numbers.append(-1000 * problems)
      return .state
    }
  }
}

/// The gates of one run, each created on first use.
final class Gates: Sendable {
  private let gates = Mutex<[Int: Gate]>([:])

  subscript(index: Int) -> Gate {
    gates.withLock { gates in
      if let gate = gates[index] { return gate }
      let gate = Gate()
      gates[index] = gate
      return gate
    }
  }
}

/// Counts from 0 without suspending, so all elements arrive together.
struct Numbers: AsyncSequence, Sendable {
  let count: Int

  struct Iterator: AsyncIteratorProtocol {
    var next = 0
    let count: Int

    mutating func next() async -> Int? {
      guard next < count else { return nil }
      defer { next += 1 }
      return next
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(count: count) }
}
