import Causeway
import TestSupport
import Testing

@MainActor
@Suite("Invariant 7: errors")
struct Invariant7ErrorTests {
  struct Problem: Error {}

  @Test func `a thrown error reaches catch`() async {
    let errors = Log<String>()
    let model = ViewModel(Script(), onError: { errors.append("\($0)") })
    await model.run { _ in
      .perform { _ in
        throw Problem()
      } catch: { state, error in
        state.text = "\(error)"
      }
    }.finish()
    #expect(model.text == "Problem()")
    #expect(errors.all.isEmpty)
  }

  @Test func `an error without catch reaches onError with the effect's id`() async {
    let errors = Log<String>()
    let model = ViewModel(Script(), onError: { errors.append($0.description) })
    await model.run { _ in .perform(id: "loading") { _ in throw Problem() } }.finish()
    #expect(errors.all.count == 1)
    #expect(errors.all.first?.contains("loading") == true)
    #expect(errors.all.first?.contains("Problem()") == true)
  }

  @Test func `one effect's error does not end another`() async {
    let model = ViewModel(Script(), onError: { _ in })
    let gate = Gate()
    let failed = model.run { _ in .perform { _ in throw Problem() } }
    let other = model.run { _ in
      .perform { send in
        await gate.wait()
        await send(.add(1))
      }
    }
    await failed.finish()
    gate.open()
    await other.finish()
    #expect(model.numbers == [1])
  }

  @Test func `cancellation is not reported as an error`() async {
    let errors = Log<String>()
    let model = ViewModel(Script(), onError: { errors.append("\($0)") })
    let isStarted = Gate()
    let isDone = Gate()
    model.run { _ in
      .perform(id: "waiting") { _ in
        isStarted.open()
        await Gate().wait()
        isDone.open()
        throw Problem()
      } catch: { state, _ in
        state.text = "must not happen"
      }
    }
    await isStarted.wait()
    model.run { _ in .cancel("waiting") }
    await isDone.waitUncancellably()
    await model.run { _ in .perform { _ in throw CancellationError() } }.finish()
    #expect(errors.all.isEmpty)
    #expect(model.text == "")
  }

  @Test func `a send that outlives its effect changes nothing and is reported`() async {
    let errors = Log<String>()
    let model = ViewModel(Script(), onError: { errors.append($0.description) })
    let kept = Log<Send<Script.State, Script.Action>>()
    await model.run { _ in .perform(id: "short") { send in kept.append(send) } }.finish()
    kept.all.first?(.add(1))
    #expect(model.numbers == [])
    #expect(errors.all.first?.contains("short") == true)
  }
}
