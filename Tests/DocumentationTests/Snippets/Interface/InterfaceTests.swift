import Causeway
import CausewayTesting
import TestSupport
import Testing

@MainActor struct InterfaceTests {
  // snippet
  @Test func `a person registers`() async {
    let model = TestModel(Registration(save: { _ in }))
    await model.send(.edit(.set(\.name, to: "Ada"))) { $0.name = "Ada" }
    await model.send(.save) { $0.isSaving = true }
    await model.expect { $0.isSaving = false }
    await model.finish()
  }

  @Test func `a page is torn out after a confirmation`() async {
    let model = TestModel(LogBook())
    await model.send(.askToTearOut("Monday")) {
      $0.confirmation = Dialog(
        "Tear out Monday?", message: "The page cannot be restored.",
        buttons: [.destructive("Tear out", .tearOut("Monday")), .cancel("Keep")])
    }
    await model.send(.confirmation(.chosen(.tearOut("Monday")))) {
      $0.confirmation = nil
      $0.pages = ["Tuesday"]
    }
    await model.finish()
  }

  @Test func `a finished walk goes back to the list`() async {
    let model = TestModel(Guide())
    await model.send(.openLink(walk: 3)) {
      $0.path = [.walks(Walks.State()), .walk(Walk.State(number: 3))]
    }
    await model.send(.path(.screen(.init(.walk(3)), .walk(.finish)))) {
      $0.path[id: .init(.walk(3))] = .walk(Walk.State(number: 3, isDone: true))
    }
    await model.expect { $0.path.pop() }
    await model.finish()
  }
  // end

  @Test func `a walk is chosen from the list`() async {
    let model = TestModel(Guide())
    await model.send(.openWalks) { $0.path = [.walks(Walks.State())] }
    await model.send(.path(.screen(.init(.walks), .walks(.choose(1))))) {
      $0.path.push(.walk(Walk.State(number: 1)))
    }
    await model.send(.path(.popTo(nil))) { $0.path = [] }
    await model.finish()
  }

  @Test func `view models of screens`() {
    let model = ViewModel(Guide())
    model.send(.openLink(walk: 3))
    // snippet
    let screen = model.screen(\.path, id: ScreenID(.walk(3)), action: Guide.Action.path)
    let walk = screen?.scope(state: \.walk, action: GuideScreenAction.walk)
    #expect(walk?.number == 3)
    // end
  }

  @Test func `a form and a question are never shown at once`() async {
    let model = TestModel(Moorings())
    await model.send(.add) { $0.destination = .form(MooringForm.State()) }
    await model.send(.form(.write("Ada"))) {
      $0.destination = .form(MooringForm.State(boat: "Ada"))
    }
    await model.send(.form(.moor)) {
      $0.boats = ["Ada"]
      $0.destination = nil
    }
    await model.send(.askToCastOff("Ada")) {
      $0.destination = .question(
        Dialog(
          "Cast off Ada?", buttons: [.button("Cast off", .castOff("Ada")), .cancel("Stay")]))
    }
    await model.send(.question(.chosen(.castOff("Ada")))) {
      $0.boats = []
      $0.destination = nil
    }
    await model.finish()
  }
}
