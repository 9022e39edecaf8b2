import Causeway
import Synchronization
import TestSupport

/// A feature whose actions use every part of the runtime whose outcome does not depend on timing.
struct ParityFeature: Interactor {
  struct State: Sendable, Equatable {
    var numbers: [Int] = []
    var problems = 0
    var sheet: Int?
  }

  enum Action: Sendable {
    case add(Int)
    /// Feeds itself back until it is zero.
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
    case sheet(SheetAction)

    var sheetAction: SheetAction? {
      if case .sheet(let action) = self { action } else { nil }
    }
  }

  enum SheetAction: Sendable {
    case count
    case hold(gate: Int)
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
      case .sheet:
        return .state
      }
    }
    .ifLet(\.sheet, action: \.sheetAction, embed: Action.sheet) { Sheet(gates: gates) }
    .onChange(of: \.problems) { state, problems in
      state.numbers.append(-1000 * problems)
      return .state
    }
  }

  private struct Sheet: Interactor {
    let gates: Gates

    var body: some Interactor<Int, SheetAction> {
      Interact(initialValue: 0) { [gates] count, action in
        count += 1
        guard case .hold(let gate) = action else { return .state }
        return .perform { send in
          await gates[gate].wait()
          await send { $0 += 100 }
        }
      }
    }
  }
}

/// The gates of one run, each made when it is first needed.
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

/// Counts from 0; without suspending, so that all elements come at once.
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
