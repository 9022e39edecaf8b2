import Causeway
import Testing

@testable import CausewayInspector

@MainActor @Suite struct `The states of an inspected model` {
  private struct Counter: Interactor {
    struct State: Equatable, Sendable {
      var count = 0
      var log: [Int] = []
    }

    var body: some Interactor<State, Int> {
      Interact<State, Int>(initialValue: State()) { state, amount in
        state.count += amount
        state.log.append(amount)
        return .perform { send in await send { $0.count += 1 } }
      }
    }
  }

  private func probe(
    keeping limit: Int, _ amounts: ClosedRange<Int>
  ) async throws -> (Inspector, [Counter.State]) {
    let inspector = try Inspector(keeping: limit)
    var states: [Counter.State] = []
    let inspected = try #require(
      StepObserver<Counter.State, Int>.inspected(by: inspector, as: "Counter"))
    // Both observers receive the same steps.
    let observer = StepObserver<Counter.State, Int>(
      steps: {
        states.append($0.state.pointee)
        inspected.observeBriefly?($0)
      },
      effects: { inspected.observeEffect?($0) },
      beginnings: { inspected.observeBeginning?($0, $1, $2) }, watch: try #require(inspected.watch))
    let model = ViewModel(Counter(), observer: observer)
    for amount in amounts { await model.send(amount).finish() }
    return (inspector, states)
  }

  private func text(_ state: Counter.State) -> String {
    var reader = ValueReader(RedactionRules())
    return reader.state(state).expression
  }

  @Test func `equal the states of the session at every step`() async throws {
    let (inspector, states) = try await probe(keeping: 1_000, 1...40)
    #expect(states.count == 80)
    let model = try #require(inspector.models.model(named: "Counter"))
    for (index, state) in states.enumerated() {
      let snapshot = try #require(model.snapshot(at: index + 1))
      #expect(snapshot.after().expression == text(state))
      #expect(snapshot.before().expression == text(index == 0 ? .init() : states[index - 1]))
    }
    #expect(model.snapshot(at: 0) == nil && model.snapshot(at: 81) == nil)
  }

  @Test func `end with their inspector`() async throws {
    weak var models: InspectedModels?
    do {
      let inspector = try await probe(keeping: 10, 1...40).0
      models = inspector.models
      #expect(models?.names == ["Counter"])
    }
    #expect(models == nil)
  }

  @Test func `go on without a step`() async throws {
    let (inspector, states) = try await probe(keeping: 1_000, 1...40)
    let model = try #require(inspector.models.model(named: "Counter"))
    var other = try #require(states.last)
    // The action 10 is step 19; the update of its effect stays.
    other.count -= 10
    other.log.removeAll { $0 == 10 }
    #expect(model.snapshot(without: 19)?.after().expression == text(other))
    #expect(model.snapshot(without: 80)?.before().expression == text(states[79]))
  }

  @Test func `are forgotten beyond the limit, the oldest first`() async throws {
    let (inspector, states) = try await probe(keeping: 64, 1...100)
    let model = try #require(inspector.models.model(named: "Counter"))
    #expect(model.snapshot(at: 1) == nil && model.snapshot(at: 100) == nil)
    #expect(model.snapshot(at: 200)?.after().expression == text(states[199]))
    #expect((1...200).filter { model.snapshot(at: $0) != nil }.count <= 64)
    #expect(model.snapshot(without: 5) == nil)
  }

  @Test func `are counted again after another model has displaced them`() async throws {
    let inspector = try Inspector(keeping: 16)
    let models = ["A", "B"].map { name in
      ViewModel(Counter(), observer: .inspected(by: inspector, as: name))
    }
    for model in models + models { await model.send(1).finish() }
    let kept = ["A", "B"].map { name in
      (1...4).filter { inspector.models.model(named: name)?.snapshot(at: $0) != nil }.count
    }
    #expect(kept == [0, 2])
  }

  @Test func `of many models are limited in total`() async throws {
    let inspector = try Inspector(keeping: 160)
    for _ in 0..<300 {
      let model = ViewModel(
        Counter(), observer: .inspected(by: inspector, as: "Counter"))
      await model.send(1).finish()
    }
    #expect(inspector.models.names.count == 200)
    #expect(inspector.models.names.last == "Counter 300")
    let kept = inspector.models.names.filter {
      inspector.models.model(named: $0)?.snapshot(at: 1) != nil
    }
    #expect(kept.count == 10)
  }
}
