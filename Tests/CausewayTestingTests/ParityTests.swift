import Causeway
import CausewayTesting
import TestSupport
import Testing

@MainActor
@Suite("Parity of ViewModel and TestModel")
struct ParityTests {
  private typealias Feature = ParityFeature

  private enum Move: Sendable {
    case send(Feature.Action)
    /// Opens the gate that has been closed longest.
    case release
  }

  /// A script from a seed: 12 moves.
  private func script(_ seed: UInt64) -> [Move] {
    var random = Random(state: seed)
    var holds = 0
    let policies: [EffectPolicy] = [.parallel, .latest, .first, .serial]
    return (0..<12).map { _ in
      let id = Int.random(in: 0..<2, using: &random)
      switch Int.random(in: 0..<13, using: &random) {
      case 0: return .send(.add(Int.random(in: 1..<9, using: &random)))
      case 1: return .send(.chain(3))
      case 2: return .send(.burst(3))
      case 3, 4:
        holds += 1
        // One policy for each id, as in a feature.
        return .send(
          .hold(gate: holds, id: id + 2 * (holds % 2), policy: policies[id + 2 * (holds % 2)]))
      case 5: return .send(.cancel(id: Int.random(in: 0..<4, using: &random)))
      case 6: return .send(.fail)
      case 7: return .send(.inSequence(7, 8))
      case 8: return .send(.elements(5))
      case 9: return .send(.showSheet(id == 0))
      case 10: return .send(.sheet(.count))
      case 11:
        holds += 1
        return .send(.sheet(.hold(gate: holds)))
      default: return .release
      }
    }
  }

  private func text(_ step: Step<Feature.State, Feature.Action>) -> String {
    "\(step.number) from \(step.origin): \(step.cause) -> \(step.after)"
  }

  private func gate(of action: Feature.Action) -> Int? {
    switch action {
    case .hold(let gate, _, _), .sheet(.hold(let gate)): gate
    default: nil
    }
  }

  /// The steps on a view model, whose effects run on the concurrent executor.
  private func stepsOfViewModel(_ script: [Move]) async -> [String] {
    var steps: [String] = []
    let gates = Gates()
    let model = ViewModel(
      ParityFeature(gates: gates), observer: StepObserver { steps.append(text($0)) },
      onError: { _ in })
    var held: [(gate: Int, task: ActionTask)] = []
    for move in script {
      switch move {
      case .send(let action):
        let task = model.send(action)
        if let gate = gate(of: action) { held.append((gate, task)) } else { await task.finish() }
      case .release:
        guard !held.isEmpty else { continue }
        let (gate, task) = held.removeFirst()
        gates[gate].open()
        await task.finish()
      }
    }
    return steps
  }

  /// The steps on a test model.
  private func stepsOfTestModel(_ script: [Move]) async -> [String] {
    var steps: [String] = []
    let gates = Gates()
    let model = TestModel(
      ParityFeature(gates: gates), exhaustivity: .off,
      observer: StepObserver { steps.append(text($0)) }, onError: { _ in })
    var held: [Int] = []
    for move in script {
      switch move {
      case .send(let action):
        await model.send(action)
        if let gate = gate(of: action) { held.append(gate) }
      case .release:
        guard !held.isEmpty else { continue }
        gates[held.removeFirst()].open()
        await model.settle()
      }
    }
    await model.finish()
    return steps
  }

  @Test(arguments: 0..<8)
  func `the same scripts make the same steps`(part: Int) async {
    for seed in (part * 250)..<((part + 1) * 250) {
      let script = script(UInt64(seed))
      let expected = await stepsOfViewModel(script)
      let actual = await stepsOfTestModel(script)
      #expect(actual == expected, "seed \(seed): \(script)")
      if actual != expected { return }
    }
  }
}

/// A linear congruential generator, with Knuth's constants.
struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 32) | (state << 32)
  }
}
