import Causeway
import TestSupport
import Testing

@MainActor
struct MisuseTests {
  @Test func `a send kept after its view model was released does nothing`() async {
    let errors = Log<String>()
    let kept = Log<Send<Script.State, Script.Action>>()
    var model: ViewModel<Script.State, Script.Action>? = ViewModel(
      Script(), onError: { errors.append($0.description) })
    let task = model?.run { _ in
      .perform { send in
        kept.append(send)
        await Gate().wait()
      }
    }
    await kept.wait(for: 1)
    model = nil
    await task?.finish()
    let handled = Log<Int>()
    kept.all.first?(.add(1))
    kept.all.first? { _ in handled.append(1) }
    kept.all.first?(
      .run { _ in
        handled.append(2)
        return .state
      })
    #expect(handled.all.isEmpty)
  }

  @Test func `a reducer that sends forever is stopped and reported`() {
    let errors = Log<String>()
    weak var late: ViewModel<Int, Script.Action>?
    let model = ViewModel(
      Script(),
      reducer: { (state: Script.State) in
        late?.run { state in
          state.other += 1
          return .state
        }
        return state.other
      }, onError: { errors.append($0.description) })
    late = model
    model.send(.add(1))
    #expect(errors.all.count == 1)
    #expect(errors.all.first?.contains("reducer") == true)
    late = nil
    // The view model continues to work.
    model.run { state in
      state.other = -1
      return .state
    }
    #expect(model.viewState == -1)
  }

  @Test func `an endless chain also ends if its error report sends another action`() {
    let errors = Log<String>()
    weak var late: ViewModel<Int, Script.Action>?
    let model = ViewModel(
      Script(),
      reducer: { (state: Script.State) in
        late?.send(.add(1))
        return state.numbers.count
      },
      onError: { error in
        errors.append(error.description)
        late?.send(.add(1))
      })
    late = model
    model.send(.add(1))
    #expect(errors.all.count == 1)
    late = nil
  }

  @Test func `an observer that sends a long chain is not reported as endless`() {
    let errors = Log<String>()
    weak var late: ViewModel<Int, Script.Action>?
    let model = ViewModel(
      Script(),
      reducer: { (state: Script.State) in
        if state.other < 100_000 {
          late?.run { state in
            state.other += 1
            return .state
          }
        }
        return state.other
      }, onError: { errors.append($0.description) })
    late = model
    model.send(.add(1))
    #expect(errors.all.isEmpty)
    #expect(model.viewState == 100_000)
  }

  @Test func `a cancelled action task stays cancelled`() async {
    let model = ViewModel(Script())
    let life = Life()
    let task = model.run { _ in life.effect { $0.numbers.append(1) } }
    await life.isStarted.wait()
    task.cancel()
    task.cancel()
    await task.finish()
    await task.finish()
    #expect(model.numbers == [])
    #expect(model.runningEffects.isEmpty)
  }

  #if os(Linux) || os(macOS) || os(Windows)
    @Test func `reading a view model inside its own handler traps with a message`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let model = ViewModel(Script())
          model.run { _ in
            _ = model.numbers
            return .state
          }
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("read while a handler changes it"))
    }

    @Test func `reading a derived view state inside the handler traps with a message`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let model = ViewModel(
            Script(), reducer: { (state: Script.State) in state.numbers.count })
          model.run { _ in
            _ = model.viewState
            return .state
          }
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("read while a handler changes it"))
    }

    @Test func `an uncaught error of an effect is printed and does not stop the program`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        await runFailingEffect()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("The effect failing threw an error that nothing catches: Problem()"))
      #expect(text.contains("Give it a catch: closure"))
    }
  #endif
}

private struct Problem: Error {}

/// With the default `onError`.
@MainActor
private func runFailingEffect() async {
  let model = ViewModel(Script())
  await model.run { _ in .perform(id: "failing") { _ in throw Problem() } }.finish()
}
