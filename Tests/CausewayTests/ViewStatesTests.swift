import Causeway
import TestSupport
import Testing

/// Consumers of view states that wait while the view states change.
@MainActor
struct ViewStatesTests {
  private let taken = Log<[Int]>()

  private func follow(_ model: ViewModel<Script.State, Script.Action>) -> Task<Void, Never> {
    Task { [taken, states = model.states] in
      for await state in states { taken.append(state.numbers) }
    }
  }

  @Test func `a waiting consumer gets the latest of several view states, once`() async {
    let model = ViewModel(Script())
    let task = follow(model)
    await taken.wait(for: 1)
    for number in 1...3 { model.send(.add(number)) }
    await taken.wait(for: 2)
    model.send(.add(4))
    await taken.wait(for: 3)
    task.cancel()
    await task.value
    #expect(taken.all == [[], [1, 2, 3], [1, 2, 3, 4]])
  }

  @Test func `a waiting consumer gets the last view state of a released view model`() async {
    var model: ViewModel? = ViewModel(Script())
    let task = model.map { follow($0) }
    await taken.wait(for: 1)
    model?.send(.add(1))
    model = nil
    await task?.value
    #expect(taken.all == [[], [1]])
  }

  @Test func `a view state that equals the last one is left out`() async {
    let model = ViewModel(Script())
    let task = follow(model)
    await taken.wait(for: 1)
    model.run { _ in .state }
    for _ in 0..<100 { await Task.yield() }
    model.send(.add(1))
    await taken.wait(for: 2)
    model.run { _ in .state }
    for _ in 0..<100 { await Task.yield() }
    model.send(.add(2))
    await taken.wait(for: 3)
    task.cancel()
    await task.value
    #expect(taken.all == [[], [1], [1, 2]])
  }

  @Test func `consumers that take each view state miss none while other consumers end`() async {
    let model = ViewModel(Script())
    let tasks = (0..<20).map { _ in follow(model) }
    await taken.wait(for: 20)
    tasks[7].cancel()
    await tasks[7].value
    for number in 1...10 {
      model.send(.add(number))
      await taken.wait(for: 20 + 19 * number)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    #expect(taken.all.filter { $0 == Array(1...10) }.count == 19)
    #expect(taken.all.count == 20 + 19 * 10)
  }
}
