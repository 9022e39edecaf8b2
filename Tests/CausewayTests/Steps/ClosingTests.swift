import Causeway
import TestSupport
import Testing

/// A view model that is released while sequences and merges run, sleep or wait.
@MainActor
struct ClosingTests {
  fileprivate typealias Emission = Causeway.Emission<Script.State, Script.Action>

  /// How the parts of a group run.
  nonisolated enum Kind: CaseIterable, Sendable {
    case sequence, merge

    @MainActor
    fileprivate func group(
      _ policy: EffectPolicy, _ first: Emission, _ second: Emission
    ) -> Emission {
      switch self {
      case .sequence: .sequence(policy, id: "job", first, second)
      case .merge: .merge(policy, id: "job", first, second)
      }
    }
  }

  @Test(arguments: Kind.allCases, [EffectPolicy.parallel, .latest, .serial])
  func `a running group is cancelled with its view model`(
    kind: Kind, policy: EffectPolicy
  ) async {
    let isStarted = Gate()
    let isEnded = Gate()
    let wasCancelled = Log<Bool>()
    let errors = Log<String>()
    var model: ViewModel? = ViewModel(Script(), onError: { errors.append($0.description) })
    weak let reference = model
    let tasks = (0..<3).map { number in
      model?.run { _ in
        kind.group(
          policy,
          .perform(.serial, id: "part") { send in
            isStarted.open()
            await Gate().wait()
            wasCancelled.append(Task.isCancelled)
            await send(.add(number))
            isEnded.open()
          }, .action(.add(9)))
      }
    }
    await isStarted.wait()
    model = nil
    #expect(reference == nil)
    for task in tasks { await task?.finish() }
    await isEnded.waitUncancellably()
    #expect(wasCancelled.all.allSatisfy { $0 })
    #expect(errors.all.isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func `a debounced group never starts after its view model was released`(kind: Kind) async {
    let clock = ManualClock()
    let starts = Log<Int>()
    var model: ViewModel? = ViewModel(Script(), clock: clock)
    weak let reference = model
    let task = model?.run { _ in
      kind.group(
        .debounce(for: .seconds(1)), .perform { _ in starts.append(1) }, .perform { _ in })
    }
    await clock.sleepers(1)
    model = nil
    #expect(reference == nil)
    clock.advance(by: .seconds(2))
    await task?.finish()
    #expect(starts.all.isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func `a group in a group is cancelled with its view model`(kind: Kind) async {
    let isStarted = Gate()
    let isEnded = Gate()
    var model: ViewModel? = ViewModel(Script())
    let task = model?.run { _ in
      .sequence(
        id: "outer",
        kind.group(
          .parallel,
          .perform { _ in
            isStarted.open()
            await Gate().wait()
            isEnded.open()
          }, .perform { _ in }),
        .action(.add(1)))
    }
    await isStarted.wait()
    model = nil
    await task?.finish()
    await isEnded.waitUncancellably()
  }

  /// Counts the effects that receive a task.
  private final class CountingHost: EffectHost {
    var started: [EffectID] = []

    func executor(for effect: EffectID, number: Int?) -> any TaskExecutor {
      started.append(effect)
      return globalConcurrentExecutor
    }
  }

  @Test func `the end of a group starts no waiting effect when its runtime is closed`() async {
    let host = CountingHost()
    let resolved = Script().resolve()
    let runtime = ControlledRuntime(
      resolved, initialState: resolved.initialValue, clock: ContinuousClock(), host: host,
      observer: nil, onError: { _ in })
    let task = runtime.send(
      .run { _ in
        .sequence(
          .latest, id: "job", .perform(.serial, id: "queue") { _ in await Gate().wait() },
          .action(.add(1)))
      })
    let waiting = (0..<2).map { number in
      runtime.send(
        .run { _ in .perform(.serial, id: "queue") { send in await send(.add(number)) } })
    }
    #expect(host.started == ["queue"])
    runtime.close()
    #expect(host.started == ["queue"])
    #expect(runtime.effects.isEmpty)
    for task in [task] + waiting { await task.finish() }
    #expect(runtime.state.numbers == [])
  }
}
