import TestSupport
import Testing

@testable import Causeway

/// Sequences and merges inside others, and actions of children that are dropped.
@MainActor
struct NestedSequenceTests {
  private struct Problem: Error {}

  /// A feature that starts a failing effect for an action of its child.
  private struct Home: Interactor {
    struct State: Sendable {
      var pane: Script.State? = Script.State()
      var numbers: [Int] = []
    }

    enum Action: Sendable {
      case pane(Script.Action)
      case run(@MainActor @Sendable (inout State) -> Emission<State, Action>)

      var pane: Script.Action? { if case .pane(let action) = self { action } else { nil } }
    }

    let gate = Gate()
    let isStarted = Gate()

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()) { state, action in
        switch action {
        case .pane(.add):
          return .perform { [gate, isStarted] _ in
            isStarted.open()
            await gate.wait()
            throw Problem()
          }
        case .pane: return .state
        case .run(let body): return body(&state)
        }
      }
      .ifLet(\.pane, action: \.pane, embed: Action.pane) { Script() }
    }
  }

  @Test
  func `a failure after the removal of a child ends the sequence of the parent`()
    async
  {
    let home = Home()
    let errors = Log<String>()
    let model = ViewModel(home, onError: { errors.append($0.description) })
    let task = model.send(
      .run { _ in
        .sequence(
          .action(
            .pane(
              .run { _ in
                .sequence(
                  .perform { send in
                    await send(.add(1))
                    await Gate().wait()
                  }, .action(.add(2)))
              })),
          .action(
            .run { state in
              state.numbers.append(3)
              return .state
            }))
      })
    await home.isStarted.wait()
    model.send(
      .run { state in
        state.pane = nil
        return .state
      })
    home.gate.open()
    await task.finish()
    #expect(errors.all.count == 1)
    #expect(model.numbers == [], "a part of the parent's sequence has failed")
  }

  private static func nested(
    _ depth: Int, _ life: Life
  ) -> Emission<Script.State, Script.Action> {
    if depth == 0 { return life.effect { $0.numbers.append(1) } }
    return .merge(id: depth, .action(.run { _ in nested(depth - 1, life) }))
  }

  @Test(arguments: ["cancel by id", "cancel the task", "release the view model", "let it end"])
  func `many merges, each inside the previous one, end`(way: String) async {
    let depth = scaled(100_000)
    let life = Life()
    var model: ViewModel? = ViewModel(Script())
    let task = model?.run { _ in Self.nested(depth, life) }
    await life.isStarted.wait()
    #expect(model?.runningEffects.count == depth + 1)
    switch way {
    case "cancel by id": model?.run { _ in .cancel(depth) }
    case "cancel the task": task?.cancel()
    case "release the view model": model = nil
    default: life.gate.open()
    }
    await task?.finish()
    #expect(model?.runningEffects.isEmpty != false)
    #expect(model?.numbers.count ?? 0 == (way == "let it end" ? 1 : 0))
  }

  @Test(arguments: [false, true])
  func `a queued sequence starts all its effects after the previous one was cancelled`(
    hasRivalBeside: Bool
  ) async {
    let model = ViewModel(Script())
    let gate = Gate()
    func job(_ number: Int) -> Emission<Script.State, Script.Action> {
      .sequence(
        .serial, id: "job",
        .perform(.first, id: "step") { send in
          await gate.wait()
          await send(.add(number))
        }, .action(.add(10 + number)))
    }
    let one = model.run { _ in
      // The effect beside the sequence has the same key as the effect inside the next sequence.
      hasRivalBeside
        ? .merge(job(1), .perform(.parallel, id: "step") { _ in await Gate().wait() }) : job(1)
    }
    let two = model.run { _ in job(2) }
    one.cancel()
    gate.open()
    await two.finish()
    #expect(model.numbers == [2, 12])
    #expect(model.runningEffects.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a queued sequence that begins with an action handles it when its turn comes`(
    previousIsCancelled: Bool
  ) async {
    let model = ViewModel(Script())
    let gate = Gate()
    let tasks = [1, 2].map { number in
      model.run { _ in
        .sequence(
          .serial, id: "job", .action(.add(number)),
          .perform { _ in await (number == 1 ? gate : Gate()).wait() })
      }
    }
    #expect(model.numbers == [1])
    if previousIsCancelled {
      tasks[0].cancel()
    } else {
      gate.open()
      await tasks[0].finish()
    }
    #expect(model.numbers == [1, 2])
    tasks[1].cancel()
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `a dropped action of a child leaves no scope behind`() {
    let model = ViewModel(Tree())
    model.send(
      .card(
        .run { _ in
          .merge(.sequence(id: "job", .action(.add(1)), .action(.add(2))), .cancel("job"))
        }))
    #expect(model.card?.numbers == [])
    #expect(model.runningEffects.isEmpty)
    #expect(!model.lease.core.effects.isWatching)
    #expect(!model.lease.core.needsFullTurn)
  }

  @Test func `an action of a child in an endless chain leaves no scope behind`() {
    let errors = Log<String>()
    let model = ViewModel(Tree(), stepLimit: 10, onError: { errors.append($0.description) })
    func endless() -> Emission<Leaf.State, Leaf.Action> {
      .merge(.action(.run { _ in endless() }), .action(.add(1)))
    }
    model.send(.card(.run { _ in endless() }))
    #expect(errors.all.count == 1)
    #expect(!model.lease.core.effects.isWatching)
  }
}
