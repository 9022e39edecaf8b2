import Causeway
import CausewayTesting
import TestSupport
import Testing

@MainActor
@Suite("Parity of ViewModel and TestModel", .timeLimit(.minutes(10)))
struct ParityTests {
  private typealias Feature = ParityFeature

  private func text(_ step: Step<Feature.State, Feature.Action>) -> String {
    "\(step.number) from \(step.origin): \(step.cause) -> \(step.after)"
  }

  /// The steps on a view model, whose effects run on the concurrent executor.
  private func stepsOfViewModel(_ script: [ParityMove]) async -> [String] {
    var steps: [String] = []
    let gates = Gates()
    let clock = ManualClock()
    let model = ViewModel(
      ParityFeature(gates: gates), clock: clock, observer: StepObserver { steps.append(text($0)) },
      onError: { _ in })
    var held: [(gate: Int, task: ActionTask)] = []
    var debounced: [ActionTask] = []
    var throttled: ActionTask?
    // If no effect waits for the end of a window, the window may end later than in this model. The
    // result is the same, because a request in the meantime starts at the end of the window and
    // opens the next window.
    var isWindowOpen = false
    for move in script {
      switch move {
      case .send(let action):
        let task = model.send(action)
        switch action {
        case .debounced: debounced.append(task)
        case .throttled where isWindowOpen: throttled = task
        case _ where action.gate != nil: held.append((action.gate ?? 0, task))
        default: await task.finish()
        }
        if case .throttled = action { isWindowOpen = true }
        if case .cancel(id: Feature.Action.throttledID) = action { throttled = nil }
      case .release:
        guard !held.isEmpty else { continue }
        let (gate, task) = held.removeFirst()
        gates[gate].open()
        await task.finish()
      case .passTime:
        clock.advance(by: .seconds(1))
        for task in debounced { await task.finish() }
        debounced = []
        clock.advance(by: .seconds(1))
        isWindowOpen = throttled != nil
        await throttled?.finish()
        throttled = nil
      }
    }
    return steps
  }

  /// The steps on a test model.
  private func stepsOfTestModel(_ script: [ParityMove]) async -> [String] {
    var steps: [String] = []
    let gates = Gates()
    let clock = TestClock()
    let model = TestModel(
      ParityFeature(gates: gates), clock: clock, exhaustivity: .off,
      observer: StepObserver { steps.append(text($0)) }, onError: { _ in })
    var held: [Int] = []
    for move in script {
      switch move {
      case .send(let action):
        await model.send(action)
        if let gate = action.gate { held.append(gate) }
      case .release:
        guard !held.isEmpty else { continue }
        gates[held.removeFirst()].open()
        await model.settle()
      case .passTime:
        await clock.advance(by: .seconds(1))
        await clock.advance(by: .seconds(1))
      }
    }
    await model.finish()
    return steps
  }

  @Test(arguments: 0..<8)
  func `the same scripts produce the same steps`(part: Int) async {
    for seed in (part * 250)..<(part * 250 + scaled(250)) {
      let script = ParityScript.moves(seed: UInt64(seed))
      let expected = await stepsOfViewModel(script)
      let actual = await stepsOfTestModel(script)
      #expect(actual == expected, "seed \(seed): \(script)")
      if actual != expected { return }
    }
  }
}
