import Causeway
import CausewayTesting
import TestSupport
import Testing

private struct Payload: Sendable, Equatable {
  struct Part: Sendable, Equatable { var number: Int }

  var part: Part
  var names: [String: Part?]
}

private final class Box: Sendable {}

private struct Sender: Interactor {
  enum Action: Sendable, Equatable {
    case add(Payload)
    case added(Payload)
  }

  var body: some Interactor<[Payload], Action> {
    Interact(initialValue: []) { (state: inout [Payload], action: Action) in
      switch action {
      case .add(let payload):
        return .perform { send in await send(.added(payload)) }
      case .added(let payload):
        state.append(payload)
        return .perform { _ in await Gate().wait() }
      }
    }
  }
}

@MainActor
@Suite struct `Texts of reports` {
  private let failures = Log<String>()
  private let payload = Payload(part: .init(number: 1), names: ["a": .init(number: 2), "b": nil])

  private var reporter: FailureReporter {
    FailureReporter { [failures] message, _ in failures.append(message) }
  }

  private let text = """
    Payload(part: Part(number: 1), names: ["a": Optional(Part(number: 2)), "b": nil])
    """

  @Test func `effects without an id are named after the action that started them`() async {
    let model = TestModel(Sender(), reporter: reporter)
    await model.send(.add(payload))
    await model.finish()
    #expect(failures.all.count == 2)
    #expect(
      failures.all[0].contains("the action added(\(text)) from effect #1 of add(\(text)), "))
    #expect(
      failures.all[1].contains(
        "effect #2 of added(\(text)) is suspended outside the test's control"))
    #expect(failures.all[1].contains("(requested at ReportTests.swift:"))
  }

  @Test func `reports contain neither addresses nor module names`() async {
    struct Wrong: Error {}
    let payload = self.payload
    await exploreInterleavings(
      of: Sender(), script: [.add(payload), .add(payload)],
      options: ExplorationOptions(reporter: reporter)
    ) { state in
      if state.count == 2 { throw Wrong() }
    }
    let model = TestModel(Sender(), reporter: reporter)
    await model.send(.add(payload)) { $0 = [payload] }
    await model.receive(.added(Payload(part: .init(number: 3), names: [:])))
    await model.finish()
    #expect(failures.all.count == 4)
    for failure in failures.all {
      #expect(!failure.contains("CausewayTestingTests"))
      #expect(!failure.contains("unknown context"))
    }
    #expect(failures.all[0].contains("#1 of add(\(text)) continues"))
  }

  @Test func `a state that is a single value is printed as state`() async {
    let model = TestModel(
      Interact(initialValue: 0) { (count: inout Int, _: Bool) in
        count += 1
        return .state
      }, reporter: reporter)
    await model.send(true) { $0 = 2 }
    #expect(
      failures.all == [
        "The action true led to another state than expected:\n  state\n    expected: 2\n    actual:   1"
      ])
    await model.finish()
  }

  @Test func `objects are printed as their type names`() async {
    let model = TestModel(
      Interact(initialValue: 0) { (_: inout Int, _: Box) in .state }, reporter: reporter)
    await model.send(Box()) { $0 = 1 }
    #expect(failures.all.first?.hasPrefix("The action Box led to another state") == true)
    await model.finish()
  }
}

/// Reads, waits and writes.
private struct Reader: Interactor {
  var body: some Interactor<Int, Bool> {
    Interact(initialValue: 0) { (_: inout Int, _: Bool) in
      .observe(.parallel, id: "read") { state, send in
        let count = await state.current
        await send(replacing: count + 1)
      }
    }
  }
}

@MainActor
@Suite struct `Reads of effects` {
  @Test func `a report shows when effects have read the state`() async throws {
    let result = await exploreInterleavings(
      of: Reader(), options: ExplorationOptions(reporter: FailureReporter { _, _ in })
    ) { model in
      await model.send(true)
      await model.send(true)
    } check: { count in
      struct Lost: Error {}
      if count != 2 { throw Lost() }
    }
    let steps = try #require(result.failure?.steps)
    #expect(steps.filter { $0.contains("reads the state") }.count == 2)
    #expect(steps.contains("  read #1 reads the state"))
  }
}
