import Causeway
import TestSupport
import Testing

/// Effects under `.latest` that replace effects which may not have begun.
///
/// The main actor is busy during a burst, so most effects are replaced before they begin. Whether a
/// particular effect begins depends on the threads, and no expectation depends on it.
@MainActor
struct ReplacedTaskTests {
  private let model = ViewModel(Script())
  private let starts = Log<Int>()

  private func request(_ number: Int, _ policy: EffectPolicy = .latest) -> ActionTask {
    model.run { [starts] _ in
      .perform(policy, id: "search") { send in
        starts.append(number)
        await send(.add(number))
      }
    }
  }

  @Test func `the last effect of a burst runs, and all tasks of the burst end`() async {
    for round in 0..<50 {
      let tasks = (0..<20).map { request(round * 100 + $0) }
      #expect(model.runningEffects.count == 1)
      for task in tasks { await task.finish() }
      #expect(model.numbers.last == round * 100 + 19)
      #expect(model.runningEffects.isEmpty)
    }
    #expect(Set(starts.all).count == starts.all.count, "an effect has begun twice")
    #expect(model.numbers == (0..<50).map { $0 * 100 + 19 })
  }

  @Test(arguments: ["id", "task", "release"])
  func `the last effect of a burst is cancelled with its id, action and model`(
    _ cause: String
  ) async {
    for number in 0..<100 {
      var model: ViewModel<Script.State, Script.Action>? = ViewModel(Script())
      let numbers = Log<Int>()
      var last: ActionTask?
      for _ in 0..<3 {
        last = model?.run { _ in
          .perform(.latest, id: "search") { send in
            await send { _ in numbers.append(number) }
          }
        }
      }
      switch cause {
      case "id": model?.run { _ in .cancel("search") }
      case "task": last?.cancel()
      default: model = nil
      }
      await last?.finish()
      #expect(numbers.all.isEmpty)
      #expect(model?.runningEffects.isEmpty != false)
    }
  }

  @Test func `the cancellation of a replaced action does not reach its successor`() async {
    for number in 0..<100 {
      let first = request(-1)
      let second = request(number)
      first.cancel()
      await second.finish()
      #expect(model.numbers.last == number)
    }
  }

  @Test func `other policies replace an effect that has not begun`() async {
    for number in 0..<100 {
      let tasks = [
        request(-1), request(-2, .debounce(for: .zero)), request(-3), request(-4, .serial),
        request(number),
      ]
      for task in tasks { await task.finish() }
      #expect(model.numbers.last == number)
      #expect(model.runningEffects.isEmpty)
    }
    #expect(model.numbers.allSatisfy { $0 >= 0 })
  }

  @Test func `the error of the last effect reaches its own answer`() async {
    struct Failure: Error {}
    for number in 0..<100 {
      let tasks = [number, number + 1].map { value in
        model.run { _ in
          .perform(.latest, id: "failing") { _ in
            throw Failure()
          } catch: { state, _ in
            state.numbers.append(value)
          }
        }
      }
      for task in tasks { await task.finish() }
      #expect(model.numbers.last == number + 1)
      #expect(model.numbers.count == number + 1)
    }
  }

  @Test func `a group under latest begins in the same turn`() async {
    let first = request(-1)
    let group = model.run { _ in .merge(.latest, id: "search", .action(.add(7))) }
    #expect(model.numbers == [7])
    await first.finish()
    await group.finish()
    #expect(model.numbers == [7])
  }

  @Test func `all effects of a burst but the last are cancelled, in the order of their requests`()
    async
  {
    let events = Log<String>()
    let model = ViewModel(
      Script(),
      observer: StepObserver({ _ in }, effects: { events.append("\($0.kind) \($0.number)") }))
    var last: ActionTask?
    for _ in 0..<20 {
      last = model.run { _ in .perform(.latest, id: "search") { send in await send(.add(1)) } }
    }
    await last?.finish()
    let replacements = (1..<20).flatMap { ["began \($0 + 1)", "cancelled \($0)"] }
    #expect(events.all == ["began 1"] + replacements + ["ended 20"])
    #expect(model.numbers == [1])
  }
}
