import TestSupport
import Testing

@testable import Causeway

/// A list that shows a form, a second form or a question, and never two of them.
private struct Rota: Interactor {
  enum Destination: Equatable, Sendable {
    case add(Form.State)
    case edit(Form.State)
    case question(Dialog<Choice>)

    var add: Form.State? { if case .add(let form) = self { form } else { nil } }
    var edit: Form.State? { if case .edit(let form) = self { form } else { nil } }
    var question: Dialog<Choice>? { if case .question(let dialog) = self { dialog } else { nil } }
  }

  enum Choice: Equatable, Sendable { case delete }

  struct State: Equatable, Sendable {
    var destination: Destination?
    var isDeleted = false
  }

  enum Action: Sendable {
    case show(Destination?)
    case add(Form.Action)
    case edit(Form.Action)
    case question(DialogAnswer<Choice>)

    var add: Form.Action? { if case .add(let action) = self { action } else { nil } }
    var edit: Form.Action? { if case .edit(let action) = self { action } else { nil } }
    var question: DialogAnswer<Choice>? {
      if case .question(let answer) = self { answer } else { nil }
    }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .show(let destination): state.destination = destination
      case .question(.chosen(.delete)): state.isDeleted = true
      case .add(.finish): state.destination = nil
      case .add, .edit, .question: break
      }
      return .state
    }
    .ifCase(\.add, of: \.destination, embed: Destination.add, action: \.add, embed: Action.add) {
      Form()
    }
    .ifCase(\.edit, of: \.destination, embed: Destination.edit, action: \.edit, embed: Action.edit)
    {
      Form()
    }
    .dialog(\.question, of: \.destination, action: \.question)
  }

  static var question: Dialog<Choice> {
    Dialog("Delete?", buttons: [.destructive("Delete", .delete), .cancel("Keep")])
  }
}

private struct Form: Interactor {
  struct State: Identifiable, Equatable, Sendable {
    var id = 0
    var texts: [String] = []
  }

  enum Action: Sendable {
    case write(String)
    case finish
    case wait(Life)
    case dismiss
  }

  var body: some InteractorOf<Self> {
    Interact { state, action in
      switch action {
      case .write(let text):
        state.texts.append(text)
        return .state
      case .finish:
        return .state
      case .wait(let life):
        return .perform { send in
          life.isStarted.open()
          await life.gate.wait()
          await send { $0.texts.append("late") }
          life.isEnded.open()
        }
      case .dismiss:
        return .perform { send in await send.dismiss() }
      }
    }
  }
}

@MainActor
struct DestinationTests {
  private let errors = Log<String>()

  private func makeModel() -> ViewModel<Rota.State, Rota.Action> {
    let errors = self.errors
    return ViewModel(Rota(), onError: { errors.append("\($0)") })
  }

  @Test func `a child of a case receives its actions and changes the case`() {
    let model = makeModel()
    model.send(.show(.add(Form.State())))
    model.send(.add(.write("Ada")))
    #expect(model.destination == .add(Form.State(texts: ["Ada"])))
    model.send(.add(.finish))
    #expect(model.destination == nil)
    #expect(errors.all.isEmpty)
  }

  @Test func `an action for a case that is not shown changes nothing and is reported once`() {
    let model = makeModel()
    model.send(.show(.edit(Form.State())))
    model.send(.add(.write("lost")))
    model.send(.add(.write("lost")))
    #expect(model.destination == .edit(Form.State()))
    #expect(errors.all.count == 1)
  }

  enum Change: CaseIterable, Sendable {
    case toNil, toOtherCase, toDialog, toOtherID, dismissal
  }

  @Test(arguments: Change.allCases)
  func `the effects of a case end when another one is shown`(change: Change) async {
    let model = makeModel()
    let life = Life()
    model.send(.show(.add(Form.State(id: 1))))
    let task = model.send(.add(.wait(life)))
    await life.isStarted.wait()
    var expected: Rota.Destination?
    switch change {
    case .toNil: break
    case .toOtherCase: expected = .edit(Form.State(id: 1))
    case .toDialog: expected = .question(Rota.question)
    case .toOtherID: expected = .add(Form.State(id: 2))
    case .dismissal: break
    }
    if change == .dismissal {
      await model.send(.add(.dismiss)).finish()
    } else {
      model.send(.show(expected))
    }
    await life.isEnded.waitUncancellably()
    await task.finish()
    #expect(model.destination == expected)
    #expect(model.runningEffects.isEmpty)
    #expect(errors.all.isEmpty)
  }

  @Test func `an answer closes the dialog of its case, and only that`() {
    let model = makeModel()
    model.send(.show(.question(Rota.question)))
    model.send(.question(.chosen(.delete)))
    #expect(model.destination == nil && model.isDeleted)
    model.send(.show(.add(Form.State())))
    model.send(.question(.dismissed))
    #expect(model.destination == .add(Form.State()))
    #expect(errors.all.isEmpty)
    model.send(.question(.chosen(.delete)))
    #expect(errors.all.count == 1)
  }

  @Test func `a change in a case copies no array of its payload`() {
    var texts = Array(repeating: "", count: 1_000)
    // Without this, the array can have room for exactly one more element, and move at the second.
    texts.reserveCapacity(2_000)
    let model = makeModel()
    model.send(.show(.add(Form.State(texts: texts))))
    texts = []
    model.send(.add(.write("first")))
    let place = model.viewState.destination?.add?.texts.withUnsafeBufferPointer(\.baseAddress)
    model.send(.add(.write("second")))
    let later = model.viewState.destination?.add?.texts.withUnsafeBufferPointer(\.baseAddress)
    #expect(place == later)
  }

  @Test func `a view of a case observes only that case and keeps its last content`() throws {
    let model = makeModel()
    #expect(model.scope(state: \.destination?.add, action: Rota.Action.add) == nil)
    model.send(.show(.add(Form.State(id: 1))))
    let add = try #require(model.scope(state: \.destination?.add, action: Rota.Action.add))
    #expect(model.scope(state: \.destination?.edit, action: Rota.Action.edit) == nil)
    add.send(.write("Ada"))
    #expect(add.viewState.texts == ["Ada"])
    model.send(.show(.edit(Form.State(id: 1))))
    #expect(add.viewState.texts == ["Ada"])
    add.send(.write("lost"))
    #expect(model.destination == .edit(Form.State(id: 1)))
  }
}

@MainActor
struct PartPresentationTests {
  private let model = ViewModel(Rota())

  private func presentation() -> PartPresentation<Rota.State, Rota.Action, Form.State, Form.Action>
  {
    PartPresentation(model, \.destination?.add, { .add($0) }, dismissal: .show(nil))
  }

  @Test func `the person closes the sheet that is shown`() {
    #expect(presentation().shown == nil)
    model.send(.show(.add(Form.State(id: 1))))
    let drawn = presentation()
    #expect(drawn.shown?.id == presentation().current?.id)
    drawn.end(.animationOfTests)
    #expect(model.destination == nil)
  }

  @Test func `the late end of a sheet does not close its successor`() {
    model.send(.show(.add(Form.State(id: 1))))
    let drawn = presentation()
    model.send(.show(.add(Form.State(id: 2))))
    #expect(drawn.shown?.id != presentation().current?.id)
    drawn.end(.animationOfTests)
    #expect(model.destination == .add(Form.State(id: 2)))
    model.send(.show(.edit(Form.State(id: 3))))
    drawn.end(.animationOfTests)
    #expect(model.destination == .edit(Form.State(id: 3)))
  }

  @Test func `a change in the sheet keeps its identity`() {
    model.send(.show(.add(Form.State(id: 1))))
    let drawn = presentation()
    model.send(.add(.write("Ada")))
    #expect(drawn.shown?.id == presentation().current?.id)
    #expect(drawn.shown?.model.texts == ["Ada"])
  }
}

extension UpdateTransaction {
  fileprivate static var animationOfTests: UpdateTransaction { UpdateTransaction { $0() } }
}
