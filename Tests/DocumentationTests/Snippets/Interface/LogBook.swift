import Causeway

// snippet
struct LogBook: Interactor {
  struct State: Equatable, Sendable {
    var pages = ["Monday", "Tuesday"]
    var confirmation: Dialog<Choice>?
  }

  enum Choice: Equatable, Sendable {
    case tearOut(String)
  }

  enum Action: Equatable, Sendable {
    case askToTearOut(String)
    case confirmation(DialogAnswer<Choice>)

    var confirmation: DialogAnswer<Choice>? {
      if case .confirmation(let answer) = self { answer } else { nil }
    }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .askToTearOut(let page):
        state.confirmation = Dialog(
          "Tear out \(page)?", message: "The page cannot be restored.",
          buttons: [.destructive("Tear out", .tearOut(page)), .cancel("Keep")])
      case .confirmation(.chosen(.tearOut(let page))):
        state.pages.removeAll { $0 == page }
      case .confirmation(.dismissed):
        break
      }
      return .state
    }
    .dialog(\.confirmation, action: \.confirmation)
  }
}
// end
