import Causeway
import TestSupport
import Testing

/// The end of sequences, and sequences and merges with a policy or an id.
@MainActor
struct EndedSequenceTests {
  private typealias Emission = Causeway.Emission<Script.State, Script.Action>
  private struct Problem: Error {}

  private static func waiting(
    _ life: Life, _ policy: EffectPolicy = .parallel, id: EffectID? = nil
  ) -> Emission {
    life.effect(policy, id) { $0.numbers.append(0) }
  }

  @Test(arguments: [EffectPolicy.latest, .debounce(for: .zero)])
  func `a part replaced by another effect ends its sequence`(policy: EffectPolicy) async {
    let model = ViewModel(Script())
    let lives = [Life(), Life()]
    let task = model.run { _ in
      .sequence(Self.waiting(lives[0], .latest, id: "job"), .action(.add(1)))
    }
    await lives[0].isStarted.wait()
    let other = model.run { _ in Self.waiting(lives[1], policy, id: "job") }
    lives[1].gate.open()
    await other.finish()
    await task.finish()
    #expect(model.numbers == [0])
  }

  @Test func `a part dropped by its policy ends its sequence`() async {
    let model = ViewModel(Script())
    let life = Life()
    let running = model.run { _ in Self.waiting(life, .first, id: "job") }
    await life.isStarted.wait()
    await model.run { _ in
      .sequence(.perform(.first, id: "job") { _ in }, .action(.add(1)))
    }.finish()
    life.gate.open()
    await running.finish()
    #expect(model.numbers == [0])
  }

  @Test func `a part that fails without catch ends its sequence`() async {
    let errors = Log<String>()
    let model = ViewModel(Script(), onError: { errors.append($0.description) })
    await model.run { _ in
      .sequence(.perform { _ in throw Problem() }, .action(.add(1)))
    }.finish()
    #expect(model.numbers == [])
    #expect(errors.all.count == 1)
  }

  @Test func `a part whose work throws a cancellation error ends its sequence`() async {
    let model = ViewModel(Script())
    await model.run { _ in
      .sequence(.perform { _ in throw CancellationError() }, .action(.add(1)))
    }.finish()
    #expect(model.numbers == [])
  }

  @Test func `a cancelled part ends the sequences around it, but no other part of a merge`() async {
    let model = ViewModel(Script())
    let life = Life()
    let task = model.run { _ in
      .sequence(
        .merge(
          .sequence(Self.waiting(life, id: "inner"), .action(.add(1))),
          .sequence(.perform { _ in }, .action(.add(2)))),
        .action(.add(3)))
    }
    await life.isStarted.wait()
    model.run { _ in .cancel("inner") }
    await task.finish()
    #expect(model.numbers == [2])
  }

  @Test func `removing a child ends the rest of its sequence`() async {
    let model = ViewModel(Tree())
    let life = Life()
    let errors = Log<String>()
    let task = model.send(
      .card(
        .run { _ in
          .sequence(life.effect { $0.numbers.append(0) }, .action(.add(1)))
        }))
    await life.isStarted.wait()
    model.change { $0.card = nil }
    await task.finish()
    #expect(model.seen == 2, "the parent does not receive the action of the next part")
    #expect(errors.all.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a replacement child gets no action of the replaced child's sequence`(
    partIsOfParent: Bool
  ) async {
    // The running part belongs to the child, or to the parent that handled the child's action.
    struct Answering: Interactor {
      let life: Life
      var body: some Interactor<Tree.State, Tree.Action> {
        Tree()
        Interact<Tree.State, Tree.Action>(initialValue: Tree.State()) { [life] _, action in
          guard case .card(.add(0)) = action else { return .state }
          return life.effect { $0.log.append("parent") }
        }
      }
    }
    let life = Life()
    let model = ViewModel(Answering(life: life))
    let task = model.send(
      .card(
        .run { _ in
          partIsOfParent
            ? .sequence(.action(.add(0)), .action(.add(1)))
            : .sequence(life.effect { $0.numbers.append(0) }, .action(.add(1)))
        }))
    await life.isStarted.wait()
    model.change { $0.card = Leaf.State(id: 2) }
    life.gate.open()
    await task.finish()
    #expect(model.card == Leaf.State(id: 2))
    #expect(model.log == (partIsOfParent ? ["parent"] : []))
  }

  @Test func `cancelling a sequence's id cancels all of it`() async {
    let model = ViewModel(Script())
    let life = Life()
    let task = model.run { _ in
      .sequence(id: "job", .perform { _ in }, Self.waiting(life), .action(.add(1)))
    }
    await life.isStarted.wait()
    #expect(model.runningEffects.contains("job"))
    model.run { _ in .cancel("job") }
    #expect(model.runningEffects.isEmpty)
    await task.finish()
    #expect(model.numbers == [])
  }

  @Test func `cancelling a merge's id cancels all of it, including effects of its actions`() async {
    let model = ViewModel(Script())
    let lives = [Life(), Life()]
    let task = model.run { _ in
      .merge(id: "job", Self.waiting(lives[0]), .action(.run { _ in Self.waiting(lives[1]) }))
    }
    for life in lives { await life.isStarted.wait() }
    model.run { _ in .cancel("job") }
    #expect(model.runningEffects.isEmpty)
    await task.finish()
    #expect(model.numbers == [])
  }

  @Test func `a newer sequence replaces the one with the same id`() async {
    let model = ViewModel(Script())
    let lives = [Life(), Life()]
    let tasks = lives.enumerated().map { number, life in
      model.run { _ in
        .sequence(.latest, id: "job", Self.waiting(life), .action(.add(number + 1)))
      }
    }
    lives[1].gate.open()
    for task in tasks { await task.finish() }
    #expect(model.numbers == [0, 2])
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `serial sequences run one after the other`() async {
    let model = ViewModel(Script())
    let tasks = (0..<3).map { number in
      model.run { _ in
        .sequence(
          .serial, id: "job", .perform { send in await send(.add(number)) },
          .perform { send in await send(.add(number)) })
      }
    }
    for task in tasks { await task.finish() }
    #expect(model.numbers == [0, 0, 1, 1, 2, 2])
  }

  @Test func `a debounced sequence starts only after the last request`() async {
    let clock = ManualClock()
    let model = ViewModel(Script(), clock: clock)
    let tasks = (0..<2).map { number in
      model.run { _ in
        .sequence(.debounce(for: .seconds(1)), id: "job", .action(.add(number)), .action(.add(9)))
      }
    }
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    for task in tasks { await task.finish() }
    #expect(model.numbers == [1, 9])
  }

  /// Each run of the search is a part of a sequence, and the first run starts the second.
  private struct Searching: Interactor {
    nonisolated struct State: Sendable {
      var found: [Int] = []
      var after: [Int] = []
    }

    enum Action: Sendable {
      case go(Int)
      case after(Int)
    }

    var body: some InteractorOf<Self> {
      Interact(initialValue: State()) { state, action in
        switch action {
        case .go(let number):
          return .sequence(
            .perform(.latest, id: "search") { send in
              await send { $0.found.append(number) }
              if number < 3 { await send(.go(number + 1)) }
            }, .action(.after(number)))
        case .after(let number):
          state.after.append(number)
          return .state
        }
      }
    }
  }

  @Test func `a part that is replaced by its own last send ends its sequence`() async {
    let model = ViewModel(Searching())
    await model.send(.go(1)).finish()
    #expect(model.found == [1, 2, 3])
    #expect(model.after == [3], "the part after a replaced search does not start")
    #expect(model.runningEffects.isEmpty)
  }

  /// Feeds one action back endlessly, each time as the first part of a sequence.
  private struct Endless: Interactor {
    nonisolated enum Action: Sendable { case again, next, never }
    let isMerged: Bool
    let starts: Log<Int>

    var body: some Interactor<Int, Action> {
      Interact(initialValue: 0) { [isMerged, starts] state, action in
        if action == .never { starts.append(-1) }
        guard action == .again else { return .state }
        state += 1
        let number = state
        let first: Causeway.Emission<Int, Action> =
          isMerged ? .merge(.action(.again), .action(.next)) : .action(.again)
        return .sequence(
          .sequence(first, .perform { _ in starts.append(number) }), .action(.never))
      }
    }
  }

  @Test(arguments: [false, true])
  func `an action that is dropped from an endless chain ends its sequences`(isMerged: Bool) async {
    let errors = Log<String>()
    let starts = Log<Int>()
    let model = ViewModel(
      Endless(isMerged: isMerged, starts: starts), stepLimit: 1_000,
      onError: { errors.append($0.description) })
    let task = model.send(.again)
    #expect(model.runningEffects.isEmpty)
    await task.finish()
    #expect(starts.all.count == 0)
    #expect(errors.all.count == 1)
    await model.send(.again).finish()
    #expect(starts.all.count == 0)
    #expect(errors.all.count == 2, "the model continues to work")
  }

  private static func again() -> Emission { .action(.run { _ in again() }) }

  @Test func `an endless chain ends only its own sequences`() async {
    let errors = Log<String>()
    let model = ViewModel(Script(), stepLimit: 1_000, onError: { errors.append($0.description) })
    let life = Life()
    let task = model.run { _ in
      .merge(
        .sequence(Self.waiting(life), .action(.add(1))), .sequence(Self.again(), .action(.add(2))))
    }
    life.gate.open()
    await task.finish()
    #expect(model.numbers == [0, 1])
    #expect(errors.all.count == 1)
  }
}
