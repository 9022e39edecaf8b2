import Causeway
import CausewayTesting
import Testing

/// Dismissals of a feature that is tested without its parent.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct DismissalTests {
  struct Draft: Interactor {
    struct State: Equatable, Sendable {
      var text = ""
      var isSaved = false
    }

    enum Action: Equatable, Sendable {
      case edit(String), save, cancel
    }

    var body: some InteractorOf<Self> {
      Interact(initialValue: State()) { state, action in
        switch action {
        case .edit(let text):
          state.text = text
          return .state
        case .save:
          return .perform(id: "save") { send in
            await send { $0.isSaved = true }
            await send.dismiss()
          }
        case .cancel:
          return .perform(id: "cancel") { send in await send.dismiss() }
        }
      }
    }
  }

  @Test func `a test asserts that the feature dismisses itself`() async {
    let model = TestModel(Draft())
    await model.send(.save)
    await model.expect { $0.isSaved = true }
    await model.expectDismissal()
    await model.send(.cancel)
    await model.expectDismissal(from: "cancel")
    await model.finish()
  }

  @Test func `a dismissal that is not asserted is a failure`() async {
    let failures = Failures()
    let model = TestModel(Draft(), reporter: failures.reporter)
    await model.send(.cancel)
    #expect(failures.all.isEmpty)
    await model.send(.edit("a")) { $0.text = "a" }
    #expect(failures.all.count == 1)
    #expect(failures.all.first?.contains("expectDismissal") == true)
    await model.send(.cancel)
    await model.finish()
    #expect(failures.all.count == 2)
    let released = Failures()
    do {
      let model = TestModel(Draft(), reporter: released.reporter)
      await model.send(.cancel)
    }
    #expect(released.all.count == 1)
    #expect(released.all.first?.contains("dismissal") == true)
  }

  @Test func `a dismissal that does not come is a failure`() async {
    let failures = Failures()
    let model = TestModel(Draft(), reporter: failures.reporter)
    await model.send(.edit("a")) { $0.text = "a" }
    await model.expectDismissal()
    #expect(failures.all.count == 1)
    await model.send(.cancel)
    await model.expectDismissal(from: "save")
    #expect(failures.all.count == 2)
    await model.expectDismissal()
    await model.finish()
    #expect(failures.all.count == 2)
  }

  @Test func `a test that is not exhaustive may leave out a dismissal`() async {
    let model = TestModel(Draft(), exhaustivity: .off)
    await model.send(.cancel)
    await model.send(.edit("a")) { $0.text = "a" }
    await model.finish()
    let other = TestModel(Draft())
    await other.send(.cancel)
    await other.skipSteps()
    await other.finish()
  }

  @Test func `a model that receives its errors asserts dismissals too`() async {
    var errors: [RuntimeError] = []
    let model = TestModel(Draft(), onError: { errors.append($0) })
    await model.send(.cancel)
    await model.expectDismissal()
    await model.finish()
    #expect(errors.isEmpty)
  }
}
