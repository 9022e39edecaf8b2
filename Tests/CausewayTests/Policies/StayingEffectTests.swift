import Causeway
import TestSupport
import Testing

/// Effects whose work stays on the main actor.
///
/// Their policies, cancellation and errors work as for all effects.
@MainActor
struct StayingEffectTests {
  private struct Problem: Error {}

  private let model = ViewModel(Script())
  private let gates = (0..<4).map { _ in Gate() }

  private func request(_ number: Int, _ policy: EffectPolicy) -> ActionTask {
    let gate = gates[number]
    return model.run { _ in
      .stay(policy, id: "work") { send in
        await gate.wait()
        send(.add(number))
      }
    }
  }

  @Test(arguments: [
    (EffectPolicy.parallel, [0, 1, 2]), (.latest, [2]), (.first, [0]), (.serial, [0, 1, 2]),
    (.limited(to: 2), [0, 1, 2]), (.debounce(for: .zero), [2]),
  ])
  func `each policy applies`(_ policy: EffectPolicy, _ expected: [Int]) async {
    let tasks = (0..<3).map { request($0, policy) }
    for gate in gates { gate.open() }
    for task in tasks { await task.finish() }
    #expect(model.numbers.sorted() == expected)
    #expect(model.runningEffects.isEmpty)
  }

  @Test(arguments: [EffectPolicy.parallel, .latest, .serial])
  func `a cancelled effect sends nothing`(_ policy: EffectPolicy) async {
    let early = request(0, policy)
    model.run { _ in .cancel("work") }
    await early.finish()
    let late = request(1, policy)
    await until { model.runningEffects.count == 1 }
    model.run { _ in .cancel("work") }
    for gate in gates { gate.open() }
    await late.finish()
    #expect(model.numbers == [])
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `an effect that stays and one that does not replace each other`() async {
    for round in 0..<20 {
      let tasks = [
        model.run { _ in .perform(.latest, id: "work") { send in await send(.add(-1)) } },
        model.run { _ in .stay(.latest, id: "work") { send in send(.add(-2)) } },
        model.run { _ in .perform(.latest, id: "work") { send in await send(.add(round)) } },
      ]
      for task in tasks { await task.finish() }
      #expect(model.numbers.last == round)
    }
    #expect(model.numbers == Array(0..<20))
  }

  @Test func `the error of a staying effect reaches catch`() async {
    await model.run { _ in
      .stay { _ in
        throw Problem()
      } catch: { state, error in
        state.text = "\(error)"
      }
    }.finish()
    #expect(model.text == "Problem()")
  }

  @Test func `catch may return an emission`() async {
    await model.run { _ in
      .stay { _ in
        throw Problem()
      } catch: { state, _ in
        state.text = "failed"
        return .perform { send in await send(.add(7)) }
      }
    }.finish()
    #expect(model.text == "failed")
    #expect(model.numbers == [7])
  }

  @Test func `an update of a staying effect starts its successor`() async {
    // The successor replaces the effect during its first send, so the second send does nothing.
    let task = model.run { _ in
      .stay(.latest, id: "work") { send in
        send(.run { _ in .stay(.latest, id: "work") { send in send(.add(2)) } })
        send(.add(1))
      }
    }
    await task.finish()
    #expect(model.numbers == [2])
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `the error of a staying effect without catch reaches onError`() async {
    let errors = Log<String>()
    let model = ViewModel(Script(), onError: { errors.append($0.description) })
    await model.run { _ in .stay { _ in throw Problem() } }.finish()
    #expect(errors.all.count == 1)
    #expect(model.runningEffects.isEmpty)
  }

  @Test func `a sequence waits for a staying effect`() async {
    await model.run { _ in
      .sequence(
        .stay { send in
          await Task.yield()
          send(.add(1))
        }, .stay { send in send(.add(2)) }, .action(.add(3)))
    }.finish()
    #expect(model.numbers == [1, 2, 3])
  }

  @Test func `a staying effect is cancelled with its view model`() async {
    var model: ViewModel<Script.State, Script.Action>? = ViewModel(Script())
    let log = Log<Int>()
    let task = model?.run { _ in
      .stay { send in
        await Gate().wait()
        send { _ in log.append(1) }
      }
    }
    model = nil
    await task?.finish()
    #expect(log.all == [])
  }
}
