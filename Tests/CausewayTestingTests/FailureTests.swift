import Causeway
import CausewayTesting
import TestSupport
import Testing

/// An interactor whose actions define their own behaviour.
private struct Script: Interactor {
  typealias Handler = @MainActor @Sendable (inout State) -> Emission<State, Action>

  struct State: Sendable, Equatable {
    var numbers: [Int] = []
    var text = ""
  }

  enum Action: Sendable {
    case add(Int)
    case run(Handler)

    var add: Int? {
      if case .add(let number) = self { number } else { nil }
    }
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .add(let number):
        state.numbers.append(number)
        return .state
      case .run(let body):
        return body(&state)
      }
    }
  }
}

@MainActor
@Suite("Failures of the kit itself")
struct FailureTests {
  private let clock = TestClock()
  private let failures = Log<String>()

  private func model(_ exhaustivity: Exhaustivity = .on) -> TestModel<Script.State, Script.Action> {
    TestModel(
      Script(), clock: clock, exhaustivity: exhaustivity,
      reporter: FailureReporter { [failures] message, _ in failures.append(message) })
  }

  private func run(_ handler: @escaping Script.Handler) -> Script.Action {
    .run(handler)
  }

  @Test func `an unexpected change by an update is a failure`() async {
    let model = model()
    await model.send(run { _ in .perform { send in await send { $0.numbers = [1] } } })
    await model.expect()
    await model.finish()
    #expect(failures.all.count == 1)
    #expect(failures.all.first?.contains("changed the state; no change was expected:") == true)
  }

  @Test func `an unexpected change is reported with only the changed fields`() async {
    let model = model()
    await model.send(.add(1)) { $0.numbers = [2] }
    #expect(
      failures.all == [
        """
        The action add(1) led to another state than expected:
          numbers[0]
            expected: 2
            actual:   1
        """
      ])
    await model.finish()
  }

  @Test func `a change that the test did not expect is a failure`() async {
    let model = model()
    await model.send(.add(1))
    #expect(failures.all.count == 1)
    #expect(failures.all[0].contains("no change was expected"))
    #expect(failures.all[0].contains("surplus:  1"))
    await model.finish()
  }

  @Test func `an expectation that changes nothing is a failure`() async {
    let model = model()
    await model.send(run { _ in .state }) { $0.text = "" }
    #expect(failures.all.count == 1)
    #expect(failures.all[0].contains("changed nothing"))
    await model.finish()
  }

  @Test(arguments: [true, false])
  func `an unasserted update is a failure`(beforeSend: Bool) async {
    let model = model()
    await model.send(
      run { _ in .perform(id: "adder") { send in await send { $0.numbers.append(7) } } })
    if beforeSend {
      await model.send(.add(1)) { $0.numbers.append(1) }
    } else {
      await model.finish()
    }
    #expect(failures.all.count == 1)
    #expect(failures.all[0].contains("an update from effect adder #1, numbers[0]: – → 7"))
    await model.finish()
  }

  @Test func `a missing action is a failure`() async {
    let model = model()
    await model.receive(\.add)
    #expect(failures.all.count == 1)
    #expect(
      failures.all[0].contains("Expected an action with a payload of type Int, but nothing came"))
    #expect(failures.all[0].contains("No effect is running."))
    await model.finish()
  }

  @Test func `receiving an action fails if an update is next`() async {
    let model = model()
    await model.send(
      run { _ in
        .perform(id: "both") { send in
          await send { $0.text = "first" }
          await send(.add(1))
        }
      })
    await model.receive(\.add) { $0.numbers = [1] }
    #expect(failures.all.count == 1)
    #expect(failures.all[0].contains("but the next step is: an update from effect both #1"))
    await model.receive(\.add, 1) { $0.numbers = [1] }
    #expect(failures.all.count == 1)
    await model.finish()
  }

  @Test func `expecting an update fails if an action is next`() async {
    let model = model()
    await model.send(run { _ in .perform(id: "adder") { send in await send(.add(1)) } })
    await model.expect { $0.numbers = [1] }
    #expect(
      failures.all == [
        """
        Expected an update, but the next step is: the action add(1) from effect adder #1, \
        numbers[0]: – → 1
        """
      ])
    await model.finish()
    #expect(failures.all.count == 1)
  }

  @Test
  func `without a closure an update must change nothing, also in a non-exhaustive test`() async {
    let model = model(.off)
    await model.send(
      run { _ in
        .perform { send in
          await send(.add(1))
          await send { $0.text = "a" }
        }
      })
    await model.expect()
    #expect(
      failures.all.first?.contains("changed the state; no change was expected:\n  text") == true)
    await model.send(run { _ in .perform { send in await send(.add(2)) } })
    await model.expect()
    #expect(
      failures.all.last?.contains("no stored step matches. The next step is: the act") == true)
    await model.send(
      run { _ in
        .perform { send in
          await send(.add(3))
          await send { $0.text = "b" }
          await send { $0.text = "b" }
        }
      })
    await model.expect()
    await model.finish()
    #expect(failures.all.count == 2)
  }

  @Test func `an action with another payload is a failure`() async {
    let model = model()
    await model.send(run { _ in .action(.add(1)) })
    await model.receive(\.add, 2) { $0.numbers = [2] }
    #expect(failures.all.count == 1)
    #expect(
      failures.all[0].contains("Expected an action with a payload of type Int and the value 2, but")
    )
    await model.finish()
  }

  @Test func `an effect that still sleeps at the end is reported with its place and deadline`()
    async
  {
    let model = model()
    let clock = self.clock
    let line = #line + 2
    await model.send(
      run { _ in .perform(id: "timer") { _ in try await clock.sleep(for: .seconds(5)) } })
    await model.finish()
    #expect(failures.all.count == 1)
    #expect(failures.all[0].contains("effect timer #1 sleeps on the test clock until 5.0 seconds"))
    #expect(failures.all[0].contains("FailureTests.swift:\(line)"))
  }

  @Test func `an effect that waits for its turn is reported`() async {
    let model = model()
    let gate = Gate()
    for _ in 0..<2 {
      await model.send(run { _ in .perform(.serial, id: "queue") { _ in await gate.wait() } })
    }
    await model.finish()
    #expect(failures.all.count == 1)
    #expect(failures.all[0].contains("effect queue #1 is suspended outside the test's control"))
    #expect(failures.all[0].contains("effect queue #2 waits for its turn"))
  }

  @Test func `an effect on the real clock is reported as outside the test's control`() async {
    let model = model()
    await model.send(
      run { _ in
        .perform(id: "real") { send in
          try await Task.sleep(for: .seconds(3600))
          await send { $0.text = "late" }
        }
      })
    await model.expect { $0.text = "late" }
    await model.finish()
    #expect(failures.all.count == 2)
    for failure in failures.all {
      #expect(failure.contains("effect real #1 is suspended outside the test's control"))
    }
  }

  @Test func `an uncaught error of an effect is a failure`() async {
    struct Problem: Error {}
    let model = model()
    await model.send(run { _ in .perform(id: "thrower") { _ in throw Problem() } })
    #expect(failures.all.count == 1)
    #expect(failures.all[0].contains("thrower"))
    await model.finish()
  }

  @Test func `a model released without finish is a failure`() async {
    do {
      let model = model()
      await model.send(run { _ in .action(.add(1)) })
    }
    #expect(failures.all.count == 1)
    #expect(failures.all[0].contains("before finish() was called"))
    #expect(failures.all[0].contains("the action add(1)"))
  }

  @Test func `a missing finish is an issue of the running test and does not stop the process`()
    async
  {
    let line = #line + 3
    await withKnownIssue {
      do {
        let model = TestModel(Script())
        await model.send(run { _ in .action(.add(1)) })
      }
    } matching: { issue in
      issue.sourceLocation?.line == line
        && issue.comments.first?.rawValue.contains("before finish() was called") == true
    }
  }

  @Test(arguments: [true, false])
  func `an action for a closed model is a failure and is not handled`(isFinished: Bool) async {
    let model = model()
    if isFinished { await model.finish() } else { await model.cancelEffects() }
    await model.send(.add(1)) { $0.numbers = [1] }
    let call = isFinished ? "finish()" : "cancelEffects()"
    #expect(
      failures.all == [
        """
        The model was closed by \(call), so the action add(1) was not handled. Send the action \
        earlier, or to another model.
        """
      ])
    #expect(model.state.numbers == [])
    await model.receive(\.add)
    #expect(failures.all.last?.contains("nothing came. The model was closed by \(call).") == true)
    await model.finish()
    #expect(failures.all.count == 2)
  }

  @Test func `steps before the cancellation of effects can still be asserted`() async {
    let model = model()
    let gate = Gate()
    await model.send(
      run { _ in
        .perform { send in
          await send { $0.text = "a" }
          await gate.wait()
          await send { $0.text = "b" }
        }
      })
    await model.cancelEffects()
    gate.open()
    await model.expect { $0.text = "a" }
    await model.finish()
    #expect(failures.all == [])
  }

  @Test func `a non-exhaustive test fails only for its own assertions`() async {
    let model = model(.off)
    await model.send(.add(1))
    await model.send(run { _ in .perform(id: "adder") { send in await send { $0.text = "a" } } })
    await model.expect { $0.text = "b" }
    #expect(failures.all.count == 1)
    #expect(failures.all[0].contains("expected: \"b\""))
    await model.finish()
    #expect(failures.all.count == 1)
  }

  @Test func `a failure is an issue of the running test at the line of the assertion`() async {
    let model = TestModel(Script())
    let line = #line + 2
    await withKnownIssue {
      await model.send(.add(1)) { $0.numbers = [2] }
    } matching: { issue in
      issue.sourceLocation?.line == line
        && issue.comments.first?.rawValue.contains("add(1)") == true
    }
    await model.finish()
  }

  @Test func `a failing exploration is an issue at its line`() async {
    let line = #line + 2
    await withKnownIssue {
      await exploreInterleavings(of: Script(), script: [.add(1), .add(2)]) { state in
        struct Problem: Error {}
        if state.numbers.count > 1 { throw Problem() }
      }
    } matching: { issue in
      issue.sourceLocation?.line == line
        && issue.comments.first?.rawValue.contains("the test sends add(2)") == true
    }
  }
}
