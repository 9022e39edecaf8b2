import Causeway
import TestSupport
import Testing

@MainActor
struct DismissTests {
  private let leafBody:
    @MainActor @Sendable (inout Leaf.State) -> Emission<Leaf.State, Leaf.Action> =
      { _ in
        .perform { send in
          await send.dismiss()
          await send { $0.numbers.append(1) }
        }
      }

  @Test func `an effect dismisses the optional child that it belongs to`() async {
    let errors = Log<String>()
    let model = ViewModel(Tree(), onError: { errors.append($0.description) })
    await model.send(.card(.run(leafBody))).finish()
    #expect(model.card == nil)
    await model.send(.sheet(.card(.run(leafBody)))).finish()
    #expect(model.sheet != nil && model.sheet?.card == nil)
    #expect(model.runningEffects.isEmpty)
    #expect(errors.all.isEmpty)
  }

  @Test func `an effect dismisses the row that it belongs to`() async {
    let model = ViewModel(Tree())
    await model.send(.row(2, .run(leafBody))).finish()
    #expect(model.rows.ids == [0, 1, 3])
  }

  @Test func `an effect whose child was replaced dismisses nothing`() async {
    let model = ViewModel(Tree())
    let life = Life()
    let task = model.send(
      .card(
        .run { _ in
          .perform { send in
            life.isStarted.open()
            await life.gate.wait()
            await send.dismiss()
          }
        }))
    await life.isStarted.wait()
    model.change { $0.card = Leaf.State(id: 2) }
    life.gate.open()
    await task.finish()
    #expect(model.card == Leaf.State(id: 2))
  }

  @Test func `a dismissal without a target is reported`() async {
    let errors = Log<String>()
    let model = ViewModel(Tree(), onError: { errors.append($0.description) })
    await model.send(.left(.run { _ in .perform { send in await send.dismiss() } })).finish()
    #expect(errors.all.count == 1)
    #expect(errors.all.first?.contains("dismiss") == true)
  }
}
