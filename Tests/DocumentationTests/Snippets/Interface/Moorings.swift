import Causeway

// snippet
/// The boats in a harbour.
///
/// It shows a form, a question, or neither.
struct Moorings: Interactor {
  struct State: Equatable, Sendable {
    var boats: [String] = []
    var destination: Destination?
  }

  enum Destination: Equatable, Sendable {
    case form(MooringForm.State)
    case question(Dialog<Choice>)

    var form: MooringForm.State? { if case .form(let form) = self { form } else { nil } }
    var question: Dialog<Choice>? { if case .question(let dialog) = self { dialog } else { nil } }
  }

  enum Choice: Equatable, Sendable {
    case castOff(String)
  }

  enum Action: Equatable, Sendable {
    case add
    case closeForm
    case askToCastOff(String)
    case form(MooringForm.Action)
    case question(DialogAnswer<Choice>)

    var form: MooringForm.Action? { if case .form(let action) = self { action } else { nil } }
    var question: DialogAnswer<Choice>? {
      if case .question(let answer) = self { answer } else { nil }
    }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .add:
        state.destination = .form(MooringForm.State())
      case .closeForm:
        state.destination = nil
      case .form(.moor):
        if let form = state.destination?.form { state.boats.append(form.boat) }
        state.destination = nil
      case .askToCastOff(let boat):
        state.destination = .question(
          Dialog(
            "Cast off \(boat)?", buttons: [.button("Cast off", .castOff(boat)), .cancel("Stay")]))
      case .question(.chosen(.castOff(let boat))):
        state.boats.removeAll { $0 == boat }
      case .form, .question:
        break
      }
      return .state
    }
    .ifCase(\.form, of: \.destination, embed: Destination.form, action: \.form, embed: Action.form)
    {
      MooringForm()
    }
    .dialog(\.question, of: \.destination, action: \.question)
  }
}
// end

struct MooringForm: Interactor {
  struct State: Equatable, Sendable {
    var boat = ""
  }

  enum Action: Equatable, Sendable {
    case write(String)
    case moor
  }

  var body: some InteractorOf<Self> {
    Interact { state, action in
      if case .write(let boat) = action { state.boat = boat }
      return .state
    }
  }
}
