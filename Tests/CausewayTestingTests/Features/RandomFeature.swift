import Causeway
import CausewaySystem

@testable import CausewayTesting

/// A feature whose actions start random emissions.
///
/// Each change adds a number of its own to the state, so the state shows the order of all changes.
struct RandomFeature: Interactor, CustomStringConvertible {
  enum Action: Sendable { case run(Int) }

  struct Failure: Error {}

  /// An operation of an effect.
  enum Operation: Sendable {
    case suspend
    case change(Int)
    /// Sends a later action.
    case send(Int)
    /// Reads the state, and adds a number that depends on it after a suspension.
    case read(Int)
    case fail
  }

  indirect enum Plan: Sendable {
    case effect(EffectPolicy, id: Int?, [Operation])
    case cancel(Int)
    case action(Int)
    case merge(Plan, Plan)
    case sequence(Plan, Plan)
    /// Depends on the state.
    case either(Plan, Plan)
    case nothing
  }

  /// The plan of each action.
  let plans: [Plan]
  /// The actions of the test.
  let script: [Int]

  var description: String { "script \(script), plans \(plans)" }

  var body: some Interactor<[Int], Action> {
    Interact(initialValue: []) { (state: inout [Int], action: Action) in
      guard case .run(let number) = action else { return .state }
      state.append(number)
      return emission(of: plans[number], state, number)
    }
  }

  private func emission(
    of plan: Plan, _ state: [Int], _ number: Int
  ) -> Emission<[Int], Action> {
    switch plan {
    case .nothing: .state
    case .cancel(let id): .cancel(id)
    case .action(let next): .action(.run(next))
    case .merge(let first, let second):
      .merge(emission(of: first, state, number), emission(of: second, state, number))
    case .sequence(let first, let second):
      .sequence(emission(of: first, state, number), emission(of: second, state, number))
    case .either(let first, let second):
      emission(of: state.reduce(0, +) % 2 == 0 ? first : second, state, number)
    case .effect(let policy, let id, let operations):
      if operations.contains(where: { if case .read = $0 { true } else { false } }) {
        .observe(policy, id: id ?? number * 100) { current, send in
          for operation in operations { try await Self.perform(operation, current, send) }
        } catch: { state, _ in
          state.append(-number)
        }
      } else {
        .perform(policy, id: id) { send in
          for operation in operations { try await Self.perform(operation, nil, send) }
        } catch: { state, _ in
          state.append(-number)
        }
      }
    }
  }

  private nonisolated static func perform(
    _ operation: Operation, _ current: DynamicState<[Int]>?, _ send: Send<[Int], Action>
  ) async throws {
    switch operation {
    case .suspend: await suspensionPoint()
    case .change(let number): await send { $0.append(number) }
    case .send(let number): await send(.run(number))
    case .fail: throw Failure()
    case .read(let number):
      guard let current else { return }
      let seen = await current.current.reduce(0, +)
      await suspensionPoint()
      await send { $0.append(number + seen % 3) }
    }
  }
}

extension RandomFeature {
  /// Makes a feature with at most five effects in a few actions.
  init(_ random: inout SplitMix64) {
    var builder = Builder(random: random)
    let count = 2 + builder.random.next(below: 3)
    plans = (0..<count).map { builder.plan($0, of: count, depth: 0) }
    script = (0..<1 + builder.random.next(below: 2)).map { _ in
      builder.random.next(below: min(count, 2))
    }
    random = builder.random
  }

  private struct Builder {
    var random: SplitMix64
    var effects = 0
    var changes = 1_000

    mutating func plan(_ action: Int, of count: Int, depth: Int) -> Plan {
      switch random.next(below: depth < 2 ? 12 : 7) {
      case 0: return .cancel(random.next(below: 2))
      case 1: return action + 1 < count ? .action(action + 1) : .nothing
      case 7: return .merge(plan(action, of: count, depth: 2), plan(action, of: count, depth: 2))
      case 8: return .sequence(plan(action, of: count, depth: 2), plan(action, of: count, depth: 2))
      case 9:
        return .either(plan(action, of: count, depth: 1), plan(action, of: count, depth: 1))
      default:
        effects += 1
        if effects > 5 { return .nothing }
        let id = random.next(below: 3)
        return .effect(
          policy(), id: id == 2 ? nil : id,
          (0..<1 + random.next(below: 2)).map { _ in operation(action, of: count) })
      }
    }

    private mutating func policy() -> EffectPolicy {
      switch random.next(below: 8) {
      case 0, 1: .parallel
      case 2, 3: .latest
      case 4: .first
      case 5: .serial
      case 6: .limited(to: 1 + random.next(below: 2))
      default: .throttle(for: .seconds(1), latest: true)
      }
    }

    private mutating func operation(_ action: Int, of count: Int) -> Operation {
      changes += 10
      switch random.next(below: 8) {
      case 0, 1: return .suspend
      case 2: return .read(changes)
      case 3: return action + 1 < count ? .send(action + 1) : .change(changes)
      case 4: return random.next(below: 2) == 0 ? .fail : .change(changes)
      default: return .change(changes)
      }
    }
  }
}
