import Causeway

// snippet
struct Registration: Interactor {
  struct State: EditableState, Equatable {
    var name = ""
    var wantsNews = false
    var isSaving = false  // not in the list, so no view can edit it

    static let editableFields = [
      EditableField<State>("name", \.name), EditableField("wantsNews", \.wantsNews),
    ]
  }

  enum Action: Equatable, Sendable {
    case edit(FieldEdit<State>)
    case save

    var edit: FieldEdit<State>? { if case .edit(let edit) = self { edit } else { nil } }
  }

  let save: @Sendable (String) async throws -> Void

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { [save] state, action in
      switch action {
      case .edit: return .state
      case .save:
        state.isSaving = true
        return .perform { [name = state.name] send in
          try await save(name)
          await send { $0.isSaving = false }
        }
      }
    }
    .editing(action: \.edit)
  }
}
// end
