import Causeway
import TestSupport
import Testing

/// Effects that end because of their own sends, and sends that arrive too late.
@MainActor
struct ReplacedEffectTests {
  private struct Problem: Error {}

  @Test func `an effect whose last send starts its successor is not cancelled`() async {
    let kinds = Log<String>()
    let runtime = Self.makeRuntime(
      ManualClock(), StepObserver({ _ in }, effects: { kinds.append("\($0.kind)") }))
    let wasCancelled = Log<Bool>()
    await runtime.send(
      .run { _ in
        .perform(.latest, id: "poll") { send in
          await send(.run { _ in .perform(.latest, id: "poll") { send in await send(.add(1)) } })
          wasCancelled.append(Task.isCancelled)
        }
      }
    ).finish()
    await wasCancelled.wait(for: 1)
    #expect(wasCancelled.all == [false])
    #expect(kinds.all.sorted() == ["began", "began", "ended", "ended"])
    #expect(runtime.state.numbers == [1])
  }

  /// A sequence whose last part starts the next sequence with the same id, three times.
  private static func poll(
    _ policy: EffectPolicy, _ number: Int, _ wasCancelled: Log<Bool>
  ) -> Emission<Script.State, Script.Action> {
    .sequence(
      policy, id: "poll",
      .perform { send in await send(.add(number)) },
      .perform { send in
        if number < 3 {
          await send(.run { _ in .action(.run { _ in poll(policy, number + 1, wasCancelled) }) })
        }
        wasCancelled.append(Task.isCancelled)
      })
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      EffectPolicy.latest, .serial, .limited(to: 1), .limited(to: 2), .debounce(for: .zero),
      .parallel,
    ])
  func `a sequence may start its successor, which replaces it or waits for it`(
    policy: EffectPolicy
  ) async {
    let runtime = Self.makeRuntime(ManualClock())
    let wasCancelled = Log<Bool>()
    await runtime.send(.run { _ in Self.poll(policy, 1, wasCancelled) }).finish()
    await wasCancelled.wait(for: 3)
    #expect(wasCancelled.all == [false, false, false])
    #expect(runtime.state.numbers == [1, 2, 3])
    #expect(runtime.isIdle)
  }

  /// Runs a sequence whose first part has the id of the sequence.
  private static func runWithOwnPart(_ policy: EffectPolicy) async -> (numbers: [Int], [String]) {
    let errors = Log<String>()
    let model = ViewModel(Script(), onError: { errors.append($0.description) })
    await model.run { _ in
      .sequence(
        policy, id: "poll",
        .perform(policy, id: "poll") { send in
          await send(.run { _ in .perform { send in await send(.add(1)) } })
        },
        .perform { send in await send(.add(2)) })
    }.finish()
    return (model.numbers, errors.all)
  }

  @Test func `a sequence waits for a part with its own id if a slot is free`() async {
    let (numbers, errors) = await Self.runWithOwnPart(.limited(to: 2))
    #expect(numbers == [1, 2])
    #expect(errors.isEmpty)
  }

  @Test(arguments: [EffectPolicy.serial, .limited(to: 1)])
  func `a part that waits for its own sequence starts after it and is reported`(
    policy: EffectPolicy
  ) async {
    let (numbers, errors) = await Self.runWithOwnPart(policy)
    #expect(numbers == [2, 1])
    #expect(errors.count == 1 && errors.first?.contains("another id") == true)
  }

  @Test func `an effect that continues after starting its successor is cancelled`() async {
    let model = ViewModel(Script())
    let isCancelled = Gate()
    await model.run { _ in
      .perform(.latest, id: "poll") { send in
        await send(.run { _ in .perform(.latest, id: "poll") { send in await send(.add(1)) } })
        await send(.add(2))
        await Gate().wait()
        isCancelled.open()
      }
    }.finish()
    await isCancelled.waitUncancellably()
    #expect(model.numbers == [1])
  }

  @Test(.timeLimit(.minutes(10)))
  func
    `an effect that waits after starting its successor is cancelled after a second of the clock`()
    async
  {
    let clock = ManualClock()
    let runtime = Self.makeRuntime(clock)
    let isCancelled = Gate()
    await runtime.send(
      .run { _ in
        .perform(.latest, id: "poll") { send in
          await send(.run { _ in .perform(.latest, id: "poll") { send in await send(.add(1)) } })
          await Gate().wait()
          isCancelled.open()
        }
      }
    ).finish()
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await isCancelled.waitUncancellably()
    #expect(runtime.state.numbers == [1])
  }

  private static func makeRuntime(
    _ clock: ManualClock, _ observer: StepObserver<Script.State, Script.Action>? = nil
  ) -> ControlledRuntime<Script.State, Script.Action> {
    ControlledRuntime(
      Script().resolve(), initialState: Script.State(), clock: clock, host: ConcurrentHost(),
      observer: observer, onError: { _ in })
  }

  /// Runs effects as an app does, but lets the clock of the runtime control all delays.
  private final class ConcurrentHost: EffectHost {
    func executor(for effect: EffectID, number: Int?) -> any TaskExecutor {
      globalConcurrentExecutor
    }
  }

  @Test func `the time to return does not depend on the clock of a view model`() async {
    // The clock of a preview may end each sleep at once.
    let clock = InstantClock()
    let model = ViewModel(Script(), clock: clock)
    let end = Gate()
    await model.run { _ in
      .perform(.latest, id: "poll") { send in
        await send(.run { _ in .perform(.latest, id: "poll") { send in await send(.add(1)) } })
        await end.waitUncancellably()
      }
    }.finish()
    #expect(clock.reads.all.isEmpty)
    end.open()
  }

  private struct InstantClock: Clock {
    let reads = Log<ContinuousClock.Instant>()

    var now: ContinuousClock.Instant {
      reads.append(.now)
      return .now
    }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
  }

  @Test func `an effect whose own send cancels it sees the cancellation at once`() async {
    let model = ViewModel(Script())
    let wasCancelled = Log<Bool>()
    await model.run { _ in
      .perform(id: "poll") { send in
        await send(.run { _ in .cancel("poll") })
        wasCancelled.append(Task.isCancelled)
      }
    }.finish()
    await wasCancelled.wait(for: 1)
    #expect(wasCancelled.all == [true])
  }

  @Test func `a send from a cancelled child task does nothing`() async {
    let model = ViewModel(Script())
    await model.run { _ in
      .perform { send in
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            await Gate().wait()
            await send { $0.numbers.append(1) }
            await send(.add(2))
            await send(replacing: Script.State(numbers: [3]))
          }
          group.cancelAll()
        }
        await send(.add(4))
      }
    }.finish()
    #expect(model.numbers == [4])
  }

  @Test func `an error of an effect that removed its own child reaches onError`() async {
    let errors = Log<String>()
    let model = ViewModel(Tree(), onError: { errors.append($0.description) })
    let life = Life()
    let isDone = Gate()
    model.send(
      .card(
        .run { _ in
          .perform { _ in
            life.isStarted.open()
            await life.gate.wait()
            defer { isDone.open() }
            throw Problem()
          }
        }))
    await life.isStarted.wait()
    model.change { $0.card = nil }
    await isDone.waitUncancellably()
    await errors.wait(for: 1)
    #expect(errors.all.first?.contains("Problem()") == true)
  }

  @Test func `cancellation of a removed child's effect is not reported`() async {
    let errors = Log<String>()
    let model = ViewModel(Tree(), onError: { errors.append($0.description) })
    let life = Life()
    model.send(
      .card(
        .run { _ in
          .perform { _ in
            life.isStarted.open()
            await life.gate.wait()
            life.isEnded.open()
            throw CancellationError()
          }
        }))
    await life.isStarted.wait()
    model.change { $0.card = nil }
    await life.isEnded.waitUncancellably()
    // An error would be reported before this later effect ends.
    await model.send(.left(.run { _ in .perform { _ in } })).finish()
    #expect(errors.all.isEmpty)
  }

  @Test func `an action fed back by a child is dropped when its parent dismisses the child`() {
    struct Closing: Interactor {
      var body: some Interactor<Tree.State, Tree.Action> {
        Tree()
        Interact<Tree.State, Tree.Action>(initialValue: Tree.State()) { state, action in
          if case .card = action { state.card = nil }
          if case .row(let id, _) = action { state.rows.remove(id: id) }
          return .state
        }
      }
    }
    let errors = Log<String>()
    let model = ViewModel(Closing(), onError: { errors.append($0.description) })
    model.send(.card(.run { _ in .action(.add(1)) }))
    model.send(.row(2, .run { _ in .action(.add(1)) }))
    #expect(model.card == nil)
    #expect(model.rows.ids == [0, 1, 3])
    #expect(model.seen == 2)
    #expect(errors.all.isEmpty)
  }

  @Test func `an action fed back by a child is dropped when an earlier action replaces the child`()
  {
    let errors = Log<String>()
    let model = ViewModel(Tree(), onError: { errors.append($0.description) })
    model.send(
      .run { _ in
        .merge(
          .action(.card(.run { _ in .action(.add(1)) })),
          .action(
            .run { state in
              state.card = Leaf.State(id: 2)
              return .state
            }))
      })
    #expect(model.card == Leaf.State(id: 2))
    #expect(errors.all.isEmpty)
  }

  @Test func `an endless chain of actions ends with an error that names the action`() {
    enum Call { case refresh, again }
    struct Endless: Interactor {
      var body: some Interactor<Int, Call> {
        Interact(initialValue: 0) { state, action in
          state += 1
          return .action(action)
        }
      }
    }
    let errors = Log<String>()
    let model = ViewModel(
      Endless(), stepLimit: 1_000, onError: { errors.append($0.description) })
    model.send(.refresh)
    #expect(model.viewState == 1_001)
    #expect(errors.all.count == 1)
    #expect(errors.all.first?.contains("refresh") == true)
    model.send(.again)
    #expect(model.viewState == 2_002, "the model continues to work")
  }

  @Test func `a throttling window ends when its row is removed`() async {
    let clock = ManualClock()
    let model = ViewModel(Tree(), clock: clock)
    func load(_ number: Int) -> ActionTask {
      model.send(
        .row(
          2,
          .run { _ in
            .perform(.throttle(for: .seconds(1), latest: false), id: "load") { send in
              await send { $0.numbers.append(number) }
            }
          }))
    }
    await load(1).finish()
    #expect(model.rows[id: 2]?.numbers == [1])
    model.change { _ = $0.rows.remove(id: 2) }
    model.change { _ = $0.rows.append(Leaf.State(id: 2)) }
    await load(2).finish()
    #expect(model.rows[id: 2]?.numbers == [2])
    await load(3).finish()
    #expect(model.rows[id: 2]?.numbers == [2], "the window of the new row is open")
  }

  /// An optional or enum child composed by generic code that does not see its state's id.
  private struct Pages<Page: Sendable, Child: Interactor>: Interactor
  where Child.State == Page, Child.Action == Leaf.Action {
    nonisolated enum State: Sendable {
      case none
      case page(Page)
      var page: Page? { if case .page(let page) = self { page } else { nil } }
    }
    enum Action: Sendable {
      case page(Leaf.Action)
      case show(Page)
      var page: Leaf.Action? { if case .page(let action) = self { action } else { nil } }
    }
    let child: Child

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: .none) { state, action in
        if case .show(let page) = action { state = .page(page) }
        return .state
      }
      .ifCase(\.page, embed: State.page, action: \.page, embed: Action.page) { child }
    }
  }

  @Test func `a case with another id is a new child, also in generic code`() async {
    let model = ViewModel(Pages(child: Leaf()))
    let life = Life()
    model.send(.show(Leaf.State(id: 1)))
    let task = model.send(.page(.run { _ in life.effect { $0.numbers.append(1) } }))
    await life.isStarted.wait()
    model.send(.show(Leaf.State(id: 2)))
    #expect(model.runningEffects.isEmpty)
    life.gate.open()
    await task.finish()
    #expect(model.viewState.page == Leaf.State(id: 2))
  }
}
