import Causeway
import CausewayTesting
import TestSupport
import Testing

@MainActor
@Suite("TestModel")
struct TestModelTests {
  @Test func `a state with a number that is not a number can be asserted`() async {
    let failures = Failures()
    let model = TestModel(
      Interact<[Double], Double>(initialValue: []) { state, number in
        state.append(number)
        return .state
      }, reporter: failures.reporter)
    await model.send(.nan) { $0 = [.nan] }
    await model.send(1) { $0.append(1) }
    #expect(failures.all.isEmpty)
    await model.send(2) { $0 = [.nan, 1, 3] }
    await model.send(.nan) { $0.append(3) }
    #expect(failures.all.count == 2)
    await model.finish()
  }

  @Test func `a search shows results`() async {
    let clock = TestClock()
    let model = TestModel(Search(), clock: clock)
    await model.send(.edit("sw")) { $0.query = "sw" }
    await clock.advance(by: .milliseconds(300))
    await model.expect { $0.isLoading = true }
    await model.receive(\.loaded) {
      $0.results = ["sw guide"]
      $0.isLoading = false
    }
    await model.finish()
  }

  @Test func `further typing restarts the delay`() async {
    let clock = TestClock()
    let model = TestModel(Search(), clock: clock)
    await model.send(.edit("s")) { $0.query = "s" }
    await clock.advance(by: .milliseconds(299))
    await model.send(.edit("sw")) { $0.query = "sw" }
    await clock.advance(by: .milliseconds(299))
    #expect(model.runningEffects.count == 1)
    await clock.advance(by: .milliseconds(1))
    await model.expect { $0.isLoading = true }
    await model.receive(.loaded(["sw guide"])) {
      $0.results = ["sw guide"]
      $0.isLoading = false
    }
    await model.finish()
  }

  @Test func `a non-exhaustive test asserts only some steps`() async {
    let clock = TestClock()
    let model = TestModel(Search(), clock: clock, exhaustivity: .off)
    await model.send(.edit("sw"))
    await clock.run()
    await model.receive(\.loaded, ["sw guide"]) { $0.results = ["sw guide"] }
    await model.send(.edit("swift"))
    await model.finish()
  }

  @Test func `a state that is not Equatable is compared by the caller's closure`() async {
    struct Blob: Sendable { var bytes: [UInt8] = [] }
    let model = TestModel(
      Interact(initialValue: Blob()) { (state: inout Blob, byte: UInt8) in
        state.bytes.append(byte)
        return .state
      }, areEqual: { $0.bytes.count == $1.bytes.count })
    await model.send(7) { $0.bytes.append(0) }
    await model.finish()
  }

  @Test func `an action fed back by a handler is received`() async {
    let model = TestModel(
      Interact(initialValue: [Int]()) { (state: inout [Int], number: Int) in
        state.append(number)
        return number > 0 ? .action(number - 1) : .state
      })
    await model.send(2) { $0 = [2] }
    await model.receive(1) { $0 = [2, 1] }
    await model.receive(where: { $0 == 0 }) { $0 = [2, 1, 0] }
    await model.finish()
  }

  @Test(.timeLimit(.minutes(10)))
  func `an endless effect does not keep a test running past its time limit`() async {
    let model = TestModel(
      Interact(initialValue: 0) { (_: inout Int, _: Bool) in
        .perform { _ in
          while !Task.isCancelled { await suspensionPoint() }
        }
      }, exhaustivity: .off)
    // The time limit cancels the test.
    let test = Task { await model.send(true) }
    test.cancel()
    _ = await test.value
    #expect(model.runningEffects.count == 1)
    await model.cancelEffects()
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `an update without a change is expected without a closure`() async {
    let model = TestModel(
      Interact(initialValue: 0) { (state: inout Int, number: Int) in
        .perform { send in await send { $0 = number } }
      })
    await model.send(0)
    await model.expect()
    await model.send(7)
    await model.expect { $0 = 7 }
    await model.finish()
  }

  @Test(
    arguments: [EffectPolicy.parallel, .latest, .serial, .debounce(for: .seconds(2))],
    [false, true])
  func `a model is released while groups of effects run, sleep or wait`(
    policy: EffectPolicy, isMerged: Bool
  ) async {
    let clock = TestClock()
    let ends = Log<Int>()
    var model: TestModel? = TestModel(
      Interact(initialValue: 0) { (_: inout Int, number: Int) in
        if number == 0 { return .state }
        let part: Emission<Int, Int> = .perform(.serial, id: "part") { _ in
          try await clock.sleep(for: .seconds(1))
          ends.append(number)
        }
        return isMerged
          ? .merge(policy, id: "job", part, part) : .sequence(policy, id: "job", part, .action(0))
      }, clock: clock, exhaustivity: .off)
    weak let reference = model
    for number in 1...3 { await model?.send(number) }
    model = nil
    #expect(reference == nil)
    await clock.advance(by: .seconds(9))
    #expect(ends.all.isEmpty)
  }
}
