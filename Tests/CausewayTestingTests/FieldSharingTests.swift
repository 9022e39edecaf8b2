import Causeway
import CausewayTesting
import TestSupport
import Testing

/// Enumerations of effects whose updates do not pass on the values that they read.
@MainActor
@Suite("Effects that change fields")
struct FieldSharingTests {
  @Test(arguments: 1...3)
  func `three effects of one action that change different fields are tried in one order`(
    suspensions: Int
  ) async {
    let (states, result) = await everyOrder(
      of: { FieldLoader(isShared: false, suspensions: suspensions) }, [-3], sharing: .fields)
    #expect(result.isComplete)
    #expect(result.trials == 1)
    #expect(states == [[1, 2, 3]])
  }

  @Test(arguments: 1...3)
  func `three effects of one action that change one field are tried in six orders`(
    suspensions: Int
  ) async {
    let (states, result) = await everyOrder(
      of: { FieldLoader(isShared: true, suspensions: suspensions) }, [-3], sharing: .fields)
    #expect(result.isComplete)
    #expect(result.trials <= 12)
    #expect(states.count == 6)
  }

  @Test(arguments: [false, true])
  func `three actions with an effect each are complete within a hundred orders`(
    isShared: Bool
  ) async {
    let (states, result) = await everyOrder(
      of: { FieldLoader(isShared: isShared, suspensions: 1) }, [0, 1, 2], sharing: .fields)
    #expect(result.isComplete)
    // The documentation gives these numbers.
    #expect(result.trials == (isShared ? 75 : 18))
    #expect(states.count == (isShared ? 6 : 1))
  }

  /// Pairs of effects that give several results, each for another reason.
  private struct Planted: Interactor {
    enum Bug: CaseIterable, Sendable {
      case sameField, readOfOtherField, hiddenCondition, cancellation, cancelledSibling
      case change, changeWithEffect, staleRead, removedChild, randomNumber, ignoredPart
    }

    /// A value whose `==` leaves out its text.
    struct Label: Hashable, Sendable {
      var id = 0
      var text = ""
      static func == (left: Label, right: Label) -> Bool { left.id == right.id }
      func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    struct State: Hashable, Sendable {
      var first = 0
      var second = 0
      var third = 0
      var label = Label()
      /// The label with its text, which only the last action sets.
      var text = ""
      var child: Int?
    }

    enum Action: Sendable {
      case start, stop, count, showText, child(Int)
      var child: Int? { if case .child(let action) = self { action } else { nil } }
    }

    private struct Child: Interactor {
      var body: some Interactor<Int, Int> {
        Interact(initialValue: 0) { (_: inout Int, _: Int) in
          .perform { send in
            await suspensionPoint()
            await send { $0 += 1 }
            await send { $0 += 1 }
          }
        }
      }
    }

    let bug: Bug
    let numbers = Log<Int>()

    var body: some InteractorOf<Self> {
      Interact(initialValue: State(child: bug == .removedChild ? 0 : nil)) {
        (state: inout State, action: Action) in
        switch action {
        case .start: return effects
        case .stop: return .cancel("second")
        case .count: state.third += state.first == 0 ? 10 : 1
        case .showText: state.text = state.label.text
        case .child: break
        }
        return .state
      }
      .ifLet(\.child, action: \.child, embed: Action.child) { Child() }
      .onChange(of: \.first) { state, first in
        switch bug {
        case .change: state.second = 0
        case .changeWithEffect where state.second == 2:
          return .perform { send in await send { $0.third = 5 } }
        default: break
        }
        return .state
      }
    }

    private var effects: Emission<State, Action> {
      switch bug {
      case .sameField: pair({ $0.first = 1 }, { $0.first = 2 })
      case .readOfOtherField: pair({ $0.first = 1 }, { $0.second = $0.first + 1 })
      case .hiddenCondition:
        .merge(
          pair({ if $0.first == 1, $0.second == 1 { $0.third = 1 } }, { $0.first = 1 }),
          effect(id: "third") { $0.second = 1 })
      case .cancellation:
        .merge(
          .perform { send in
            await suspensionPoint()
            await send(.stop)
          }, effect(id: "second") { $0.second = 2 })
      case .cancelledSibling:
        .merge(
          .perform { send in await send(.count) },
          .perform(.latest, id: "second") { send in
            await suspensionPoint()
            await send { $0.first = 1 }
            await send(.stop)
            await send { $0.second = 1 }
          })
      case .change: pair({ $0.first = 1 }, { $0.second = 2 })
      case .changeWithEffect: pair({ $0.first = 1 }, { $0.second = 2 })
      case .staleRead:
        .merge(
          .observe(id: "reader") { currentState, send in
            let second = await currentState.second
            await suspensionPoint()
            await send { $0.first = second + 1 }
          }, effect(id: "second") { $0.second = 2 })
      case .removedChild:
        .merge(.action(.child(0)), effect(id: "second") { $0.child = nil }, rewriting)
      case .randomNumber:
        pair({ $0.first = numbers.next() }, { $0.second = numbers.next() })
      case .ignoredPart:
        pair(
          { $0.label.text = "a" },
          {
            $0.label.text = "b"
          }, then: .showText)
      }
    }

    /// Remembers whether the child had ended its work.
    private var rewriting: Emission<State, Action> {
      effect(id: "third") { $0.third = $0.child ?? -1 }
    }

    private func effect(
      id: EffectID, _ update: @escaping @MainActor (inout State) -> Void
    ) -> Emission<State, Action> {
      .perform(id: id) { send in
        await suspensionPoint()
        await send { update(&$0) }
      }
    }

    private func pair(
      _ first: @escaping @MainActor (inout State) -> Void,
      _ second: @escaping @MainActor (inout State) -> Void, then last: Action? = nil
    ) -> Emission<State, Action> {
      let effects: Emission<State, Action> = .merge(
        effect(id: "first", first), effect(id: "second", second))
      return last.map { .sequence(effects, .action($0)) } ?? effects
    }
  }

  @Test(arguments: Planted.Bug.allCases)
  private func `an order that changes the result is found`(_ bug: Planted.Bug) async {
    let (every, all) = await everyOrder(of: { Planted(bug: bug) }, [.start], sharing: .state)
    let (fewer, reduced) = await everyOrder(of: { Planted(bug: bug) }, [.start], sharing: .fields)
    print("\(bug): \(reduced.trials) of \(all.trials) orders, \(every.count) results")
    #expect(all.isComplete && reduced.isComplete)
    #expect(every.count > 1)
    #expect(fewer == every)
  }
}

extension Log<Int> {
  fileprivate func next() -> Int {
    append(0)
    return all.count
  }
}
