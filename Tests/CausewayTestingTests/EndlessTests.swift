import Causeway
import TestSupport
import Testing

@testable import CausewayTesting

/// A feature whose effects never come to rest.
private struct Restless: Interactor {
  enum Kind: CaseIterable {
    case yields, ignoresCancellation, sendsItself, readsState
  }

  enum Action: Sendable {
    case start(Kind)
    case again
  }

  /// The effect that yields waits for it first.
  var gate: Gate?

  var body: some Interactor<Int, Action> {
    Interact<Int, Action>(initialValue: 0) { [gate] count, action in
      switch action {
      case .again:
        count += 1
        return .perform(.latest, id: "restless") { send in await send(.again) }
      case .start(.sendsItself):
        return .action(.again)
      case .start(.yields):
        return .perform(id: "restless") { _ in
          await gate?.wait()
          while !Task.isCancelled { await Task.yield() }
        }
      case .start(.ignoresCancellation):
        return .perform(id: "restless") { _ in while true { await Task.yield() } }
      case .start(.readsState):
        return .observe(id: "restless") { currentState, _ in
          while await currentState.magnitude == 0, !Task.isCancelled {}
        }
      }
    }
  }
}

@MainActor
@Suite(.timeLimit(.minutes(10))) struct `Endless effects` {
  private let failures = Log<String>()
  private var reporter: FailureReporter {
    FailureReporter { [failures] message, _ in failures.append(message) }
  }

  @Test(arguments: Restless.Kind.allCases)
  fileprivate func `an exploration fails after its limit of steps`(kind: Restless.Kind) async {
    let result = await exploreInterleavings(
      of: Restless(), script: [.start(kind)],
      options: ExplorationOptions(stepLimit: 500, reporter: reporter)
    ) { _ in }
    #expect(result.trials == 1)
    let reason = result.failure?.reason ?? ""
    #expect(reason.hasPrefix("The trial did not end within 500 steps. "))
    #expect(reason.contains("effect restless #"))
    #expect(result.failure?.steps.count == 30)
    #expect(failures.all.count == 1)
  }

  @Test func `an exploration has a limit of steps by default`() async {
    let result = await exploreInterleavings(
      of: Restless(), script: [.start(.yields)], options: ExplorationOptions(reporter: reporter)
    ) { _ in }
    #expect(
      result.failure?.reason.contains("effect restless #1 can continue at once") == true)
  }

  @Test(arguments: Restless.Kind.allCases)
  fileprivate func `a test model reports effects that never come to rest`(
    kind: Restless.Kind
  ) async {
    let model = TestModel(Restless(), reporter: reporter)
    model.stepLimit = 500
    await model.send(.start(kind))
    #expect(failures.all.count == 1)
    #expect(
      failures.all.first?.hasPrefix("The effects did not come to rest within 500 steps.") == true)
    model.exhaustivity = .off
    await model.finish()
  }

  @Test func `a test model has a limit of steps by default`() async {
    let model = TestModel(Restless(), exhaustivity: .off, reporter: reporter)
    #expect(model.stepLimit == 100_000)
    await model.finish()
  }

  @Test(arguments: Restless.Kind.allCases)
  fileprivate func `a test that waits while an effect is endless fails with a report`(
    kind: Restless.Kind
  ) async {
    let gate = Gate()
    let result = await exploreInterleavings(
      of: Restless(), options: ExplorationOptions(stepLimit: 500, reporter: reporter)
    ) { model in
      await model.send(.start(kind))
      await gate.wait()
    } check: { _ in
    }
    #expect(result.trials == 1)
    #expect(
      result.failure?.reason.hasPrefix("The trial did not end within 500 steps. ") == true)
    #expect(result.failure?.reason.contains("effect restless #") == true)
    #expect(failures.all.count == 1)
    gate.open()
  }

  @Test func `a check that waits while an effect is endless fails with a report`() async {
    let gate = Gate()
    let result = await exploreInterleavings(
      in: { Gate() }, of: { Restless(gate: $0) }, script: [.start(.yields)],
      options: ExplorationOptions(
        allowsVacuousTrials: true, stepLimit: 500, reporter: reporter)
    ) { _, start in
      start.open()
      await gate.wait()
    }
    #expect(
      result.failure?.reason.hasPrefix("The trial did not end within 500 steps. ") == true)
    #expect(failures.all.count == 1)
    gate.open()
  }

  @Test func `a test model reports an endless effect while the test itself waits`() async {
    let start = Gate()
    let model = TestModel(Restless(gate: start), exhaustivity: .off, reporter: reporter)
    model.stepLimit = 500
    await model.send(.start(.yields))
    #expect(failures.all.isEmpty)
    start.open()
    await failures.wait(for: 1)
    #expect(failures.all.first?.contains("within 500 steps") == true)
    await model.finish()
    #expect(failures.all.count == 1)
  }

  @Test func `a cancelled exploration fails`() async {
    let started = Gate()
    let exploration = Task { [reporter] in
      await exploreInterleavings(
        of: Interact<Int, Bool>(initialValue: 0) { _, _ in .perform { _ in started.open() } },
        script: [true], trials: 100_000, options: ExplorationOptions(reporter: reporter)
      ) { _ in }
    }
    await started.wait()
    exploration.cancel()
    let result = await exploration.value
    #expect(result.failure?.title.hasPrefix("The exploration was cancelled after") == true)
    #expect(failures.all.first?.contains("The task of the exploration was cancelled") == true)
  }

  @Test func `an effect that waits for ever fails a trial in which another effect ends`() async {
    let gate = Gate()
    let waiting = Interact<Int, Bool>(initialValue: 0) { _, isObserved in
      .merge(
        .perform { _ in },
        isObserved
          ? .observe(id: "stuck") { _, _ in await gate.wait() }
          : .perform(id: "stuck") { _ in await gate.wait() })
    }
    let result = await exploreInterleavings(
      of: waiting, script: [false], options: ExplorationOptions(reporter: reporter)
    ) { _ in }
    #expect(result.failure?.reason.contains("effect stuck #") == true)
    let observed = await exploreInterleavings(
      of: waiting, script: [true], trials: 10, options: ExplorationOptions(reporter: reporter)
    ) { _ in }
    #expect(observed.failure == nil)
  }
}
