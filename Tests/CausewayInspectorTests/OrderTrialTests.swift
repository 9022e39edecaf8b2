import Causeway
import TestSupport
import Testing

@testable import CausewayInspector

@MainActor @Suite("The trial of an order", .timeLimit(.minutes(10)))
struct OrderTrialTests {
  /// Starts effects, and lets them pass their gates in an order.
  ///
  /// - Parameter passes: The index of the action that has ended after each group of gates.
  private func report(
    _ course: Course, _ actions: [Course.Action], _ passes: [(gates: [String], ends: Int)]
  ) async throws -> OrderReport {
    let inspector = try Inspector()
    let model = course.model(watchedBy: inspector)
    let tasks = actions.map { model.send($0) }
    for pass in passes {
      for name in pass.gates { course.gates[name]?.open() }
      await tasks[pass.ends].finish()
    }
    let inspected = try #require(inspector.models.model(named: "Course"))
    return try #require(try await inspected.otherOrders(from: actions.count))
  }

  @Test func `goes on with the later parts of a sequence once`() async throws {
    let report = try await report(
      Course("a", "b", "c"), [.chain("a", "b"), .load(["c"])], [(["a", "b"], 0), (["c"], 1)])
    #expect(report.caveat == nil)
    #expect(report.tried == 2 && report.outcomes.count == 2)
    #expect(report.outcomes.allSatisfy { $0.unanswered.isEmpty && $0.errors.isEmpty })
  }

  @Test func `starts the effect that an update's action starts once`() async throws {
    let report = try await report(
      Course("a", "b", "c"), [.retry("a", "b"), .load(["c"])], [(["a", "b"], 0), (["c"], 1)])
    #expect(report.caveat == nil)
    #expect(report.tried == 2 && report.outcomes.count == 2)
    #expect(report.outcomes.allSatisfy { $0.unanswered.isEmpty && $0.errors.isEmpty })
  }

  @Test func `ends a sequence with an error that nothing catches`() async throws {
    let report = try await report(
      Course("a", "c"), [.fail("a"), .load(["c"])], [(["c"], 1), (["a"], 0)])
    #expect(report.caveat == nil)
    #expect(report.tried == 1 && report.outcomes.isEmpty)
  }

  @Test func `stops when an order feeds back endlessly`() async throws {
    let report = try await report(
      Course("a", "b"), [.prepare("a"), .spin("b")], [(["a"], 0), (["b"], 1)])
    #expect(report.caveat == nil && report.tried == 1)
    #expect(
      report.outcomes.map(\.errors)
        == [["endlessActions", "The order has more than 10000 steps."]])
  }

  @Test func `is one of at most 200, and the ends of 20 are kept`() async throws {
    let names = ["a", "b", "c", "d", "e", "f"]
    let report = try await report(
      Course("a", "b", "c", "d", "e", "f"), names.map { .load([$0]) },
      names.enumerated().map { ([$1], $0) })
    #expect(report.caveat == nil && report.tried == 200 && report.isLimited)
    #expect(report.outcomes.count == 20 && report.others == 180)
  }

  @Test func `reports errors without the values of actions`() {
    let rules = RedactionRules()
    func line(_ error: RuntimeError, from number: Int? = nil) -> String {
      ErrorText(error, from: number, hiding: rules).line
    }
    let action = #"signIn(code: "1234")"#
    #expect(
      line(.missingChild(action: action, row: nil, site: "A.swift:1"))
        == "missingChild at A.swift:1")
    #expect(line(.endlessActions(action: action, steps: 1)) == "endlessActions")
    #expect(line(.sharedCall(effect: "look", actions: [action])) == "sharedCall of look")
    #expect(
      line(.uncaughtError(Course.Failure(), effect: "look"), from: 3)
        .hasPrefix("look #3 threw an error: "))
  }

  @Test func `has the effects whose requests the inspector has forgotten`() async throws {
    let inspector = try Inspector(keeping: 16)
    let (course, other) = (Course("a"), Course())
    let model = course.model(watchedBy: inspector)
    let task = model.send(.load(["a"]))
    // The inspector keeps the steps of one model only.
    let otherModel = other.model(watchedBy: inspector)
    otherModel.send(.note("other"))
    model.send(.note("note"))
    course.gates["a"]?.open()
    await task.finish()
    let inspected = try #require(inspector.models.model(named: "Course"))
    #expect(inspected.snapshot(at: 1) == nil)
    let report = try #require(try await inspected.otherOrders(from: 2))
    #expect(report.caveat == nil)
  }

  @Test func `has the observations of two children from the same call`() async throws {
    let (left, right, end) = (Gate(), Gate(), Gate())
    let pair = Pair(left: Feed(gates: [left, end]), right: Feed(gates: [right, end]))
    let inspector = try Inspector()
    let model = ViewModel(
      pair,
      observer: .inspected(by: inspector) { state, observer in
        ViewModel(pair, initialState: state, observer: observer)
      })
    model.send(.left(.watch))
    model.send(.right(.watch))
    left.open()
    while !model.viewState.left.hasNews { await Task.yield() }
    right.open()
    while !model.viewState.right.hasNews { await Task.yield() }
    let inspected = try #require(inspector.models.model(named: "Pair"))
    let report = try #require(try await inspected.otherOrders(from: 2))
    #expect(report.caveat == nil)
    #expect(report.tried == 1 && report.outcomes.isEmpty)
    end.open()
  }
}

/// Observes something in a child.
private struct Feed: Interactor {
  struct State: Equatable, Sendable { var hasNews = false }
  enum Action: Sendable { case watch }

  let gates: [Gate]

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [gates] _, _ in
      .observe { _, send in
        await gates[0].wait()
        await send { $0.hasNews = true }
        await gates[1].wait()
      }
    }
  }
}

/// Two children that observe by the same call.
private struct Pair: Interactor {
  struct State: Equatable, Sendable {
    var left = Feed.State()
    var right = Feed.State()
  }

  enum Action: Sendable {
    case left(Feed.Action)
    case right(Feed.Action)

    var left: Feed.Action? { if case .left(let action) = self { action } else { nil } }
    var right: Feed.Action? { if case .right(let action) = self { action } else { nil } }
  }

  let left, right: Feed

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { _, _ in .state }
      .scope(state: \.left, action: \.left, embed: Action.left) { left }
      .scope(state: \.right, action: \.right, embed: Action.right) { right }
  }
}
