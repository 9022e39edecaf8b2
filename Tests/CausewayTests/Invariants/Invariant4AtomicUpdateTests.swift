import Causeway
import Testing

@MainActor
@Suite("Invariant 4: atomic updates")
struct Invariant4AtomicUpdateTests {
  @Test func `effects that add to the same array all succeed`() async {
    let model = ViewModel(Script())
    await model.run { _ in
      .merge(
        (0..<100).map { effect in
          .perform { send in
            for number in 0..<10 {
              await send { $0.numbers.append(effect * 10 + number) }
            }
          }
        })
    }.finish()
    #expect(model.numbers.sorted() == Array(0..<1_000))
  }

  @Test func `an update sees the changes of actions handled meanwhile`() async {
    let model = ViewModel(Script())
    let task = model.run { _ in .perform { send in await send { $0.numbers.append(2) } } }
    model.send(.add(1))
    await task.finish()
    #expect(model.numbers == [1, 2])
  }

  @Test func `dynamic state reads the current state`() async {
    let model = ViewModel(Script())
    await model.run { _ in
      .observe { currentState, send in
        await send { $0.other = 5 }
        let other = await currentState.other
        let whole = await currentState.current
        await send { $0.text = "\(other) \(whole.other)" }
      }
    }.finish()
    #expect(model.text == "5 5")
  }

  @Test func `a whole state replaces the state`() async {
    let model = ViewModel(Script())
    model.send(.add(1))
    await model.run { _ in .perform { send in await send(replacing: Script.State(text: "new")) } }
      .finish()
    #expect(model.viewState == Script.State(text: "new"))
  }
}
