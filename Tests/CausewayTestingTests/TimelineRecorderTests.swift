import Causeway
import CausewayTesting
import Foundation
import TestSupport
import Testing

@MainActor
@Suite("The recorder of a timeline")
struct TimelineRecorderTests {
  private struct Feature: Interactor {
    struct State: Codable, Sendable, Equatable {
      var numbers: [Int] = []
    }

    enum Action: Codable, Sendable {
      case add(Int)
      case load
      case forever
      case stop
    }

    var factor = 1

    var body: some InteractorOf<Self> {
      Interact(initialValue: State()) { [factor] state, action in
        switch action {
        case .add(let number):
          state.numbers.append(number * factor)
          return .state
        case .load:
          return .perform(id: "load") { send in
            await send { $0.numbers.append(10) }
            await send(.add(20))
          }
        case .forever:
          return .perform(id: "forever") { _ in try await Task.sleep(for: .seconds(3600)) }
        case .stop:
          return .cancel("forever")
        }
      }
    }
  }

  private func record() async -> Timeline<Feature.State, Feature.Action> {
    let recorder = TimelineRecorder<Feature.State, Feature.Action>()
    let model = TestModel(Feature(), exhaustivity: .off, observer: recorder.observer)
    for action: Feature.Action in [.add(1), .load, .forever, .stop, .add(2)] {
      await model.send(action)
    }
    await model.finish()
    return recorder.timeline
  }

  @Test func `a recorded timeline keeps what was loading`() async throws {
    struct State: Codable, Equatable, Sendable { var number = Loadable<Int>() }
    let feature = Interact<State, Int?>(initialValue: State()) { state, number in
      if let number { state.number.finish(number) } else { state.number.begin() }
      return .state
    }
    let recorder = TimelineRecorder<State, Int?>()
    let model = TestModel(feature, exhaustivity: .off, observer: recorder.observer)
    await model.send(nil)
    await model.send(1)
    await model.finish()
    let decoded = try JSONDecoder().decode(
      Timeline<State, Int?>.self, from: JSONEncoder().encode(recorder.timeline))
    #expect(decoded.entries.map(\.state.number.isLoading) == [true, false])
    #expect(try decoded.replay(through: feature).count == 2)
  }

  @Test func `the timeline contains causes, states and effect lifetimes`() async {
    let timeline = await record()
    #expect(timeline.entries.map(\.number) == Array(1...7))
    #expect(timeline.entries.map(\.origin) == [1, 2, 2, 2, 5, 6, 7])
    #expect(timeline.entries.last?.state.numbers == [1, 10, 20, 2])
    #expect(timeline.effects.map(\.id) == ["load", "forever"])
    #expect(timeline.effects.map(\.isCancelled) == [false, true])
    #expect(timeline.effects.map(\.end) == [4, 6])
  }

  @Test func `replaying a recording on a new model produces the same states, also from JSON`()
    async throws
  {
    let timeline = await record()
    let read = try Timeline<Feature.State, Feature.Action>(json: timeline.json())
    #expect(try read.json() == timeline.json())
    #expect(try read.replay(through: Feature()) == timeline.entries.map(\.state))
  }

  @Test func `a replay on a changed feature reports the first step that differs`() async {
    let timeline = await record()
    #expect {
      try timeline.replay(through: Feature(factor: 2))
    } throws: { error in
      guard case ReplayError.otherState(step: 1, let difference) = error else { return false }
      return difference.contains("numbers[0]")
    }
  }

  @Test func `a view model is recorded in the same way`() async throws {
    let recorder = TimelineRecorder<Feature.State, Feature.Action>()
    let model = ViewModel(Feature(), observer: recorder.observer)
    model.send(.add(1))
    await model.send(.load).finish()
    #expect(recorder.timeline.effects.map(\.end) == [4])
    #expect(
      try recorder.timeline.replay(through: Feature()).last == Feature.State(numbers: [1, 10, 20]))
  }

  @Test func `recording many concurrent effects takes time linear in their number`() async {
    let recorder = TimelineRecorder<Int, Bool>()
    let gate = Gate()
    let model = ViewModel(
      Interact(initialValue: 0) { (_: inout Int, _: Bool) in
        .merge((0..<scaled(50_000)).map { _ in .perform(id: "wait") { _ in await gate.wait() } })
      }, observer: recorder.observer)
    let task = model.send(true)
    gate.open()
    await task.finish()
    #expect(recorder.timeline.effects.map(\.number) == Array(1...scaled(50_000)))
    #expect(recorder.timeline.effects.allSatisfy { $0.end == 1 && !$0.isCancelled })
  }

  @Test func `states and actions that are not Codable can be recorded and replayed`() async throws {
    struct Log: Sendable, Equatable { var numbers: [Int] = [] }
    enum Call: Sendable { case run(@Sendable (Int) -> Int) }
    let feature = Interact(initialValue: Log()) { (log: inout Log, call: Call) in
      if case .run(let body) = call { log.numbers.append(body(log.numbers.count)) }
      return .state
    }
    let recorder = TimelineRecorder<Log, Call>()
    let model = TestModel(feature, exhaustivity: .off, observer: recorder.observer)
    await model.send(.run { $0 + 1 })
    await model.send(.run { $0 * 10 })
    await model.finish()
    let states = try recorder.timeline.replay(through: feature)
    #expect(states.map(\.numbers) == [[1], [1, 10]])
  }
}
