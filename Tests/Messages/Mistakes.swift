// Mistakes that the compiler must answer with a message of the library: the line above each of them
// contains a part of the message. Scripts/validate checks them; no target compiles this file.
import Causeway

private struct Child: Interactor {
  struct State: Sendable { var count = 0 }
  enum Action: Sendable { case increment }
  var body: some Interactor<State, Action> {
    Interact(initialValue: State()) { state, _ in
      state.count += 1
      return .state
    }
  }
}

private struct Parent: Interactor {
  enum Screen: Sendable { case list, child(Child.State) }
  struct State: Sendable {
    var child = Child.State()
    var screen = Screen.list
    var sheet: Child.State?
    var rows: IdentifiedArray<Int, Row> = []
  }
  struct Row: Sendable, Identifiable { var id = 0 }
  enum Action: Sendable {
    case child(Child.Action), load, save, row(Int, Child.Action), sheet(Child.Action)
    var child: Child.Action? { if case .child(let action) = self { action } else { nil } }
  }

  var body: some Interactor<State, Action> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .load:
        let copy = state
        // MESSAGE send(replacing: state)
        return .perform { [copy] send in await send(copy) }
      default:
        return .state
      }
    }
  }

  func catchOfAnError() -> Emission<State, Action> {
    .perform { _ in
      throw CancellationError()
      // MESSAGE expects 2 arguments, but 1 was used
    } catch: { error in
      print(error)
    }
  }

  func catchOfATypedError() -> Emission<State, Action> {
    .perform { _ in
      throw CancellationError()
    } catch: { state, error in
      switch error {
      // MESSAGE type 'any Error' has no member 'offline'
      case .offline: state.child.count = 0
      }
    }
  }

  func catchWithAMistake() -> Emission<State, Action> {
    .perform { _ in
      throw CancellationError()
    } catch: { state, error in
      // MESSAGE value of type 'Parent.State' has no member 'problm'
      state.problm = "\(error)"
    }
  }

  func policyFirst() -> Emission<State, Action> {
    // MESSAGE the policy comes before the sequence
    .observe(AsyncStream<Int> { $0.finish() }, .first) { state, number in
      state.child.count = number
    }
  }

  var scopeWithoutProperty: some Interactor<State, Action> {
    // MESSAGE key path cannot refer to enum case 'sheet'
    body.scope(state: \.child, action: \.sheet, embed: Action.sheet) { Child() }
  }

  var ifLetWithoutProperty: some Interactor<State, Action> {
    // MESSAGE key path cannot refer to enum case 'sheet'
    body.ifLet(\.sheet, action: \.sheet, embed: Action.sheet) { Child() }
  }

  var optionalScope: some Interactor<State, Action> {
    // MESSAGE use ifLet for an optional part
    body.scope(state: \.sheet, action: \.child, embed: Action.child) { Child() }
  }

  var ifLetOfProperty: some Interactor<State, Action> {
    // MESSAGE use scope for a child that always exists
    body.ifLet(\.child, action: \.child, embed: Action.child) { Child() }
  }

  var ifLetOfCase: some Interactor<State, Action> {
    // MESSAGE ifCase for a case of an enum
    body.ifLet(\.screen, action: \.child, embed: Action.child) { Child() }
  }

  var ifLetOfCasePath: some Interactor<State, Action> {
    // MESSAGE key path cannot refer to enum case 'child'
    body.ifLet(\.screen.child, action: \.child, embed: Action.child) { Child() }
  }

  var ifLetWithUnknownAction: some Interactor<State, Action> {
    // MESSAGE has no member 'missing'
    body.ifLet(\.sheet, action: \.missing, embed: Action.sheet) { Child() }
  }

  var scopeWithoutAction: some Interactor<State, Action> {
    // MESSAGE scope needs action:
    body.scope(state: \.child, embed: Action.child) { Child() }
  }

  var scopeWithoutEmbed: some Interactor<State, Action> {
    // MESSAGE scope needs embed:
    body.scope(state: \.child, action: \.child) { Child() }
  }

  var scopeWithoutChild: some Interactor<State, Action> {
    // MESSAGE scope needs a closure that makes the child
    body.scope(state: \.child, action: \.child, embed: Action.child)
  }

  var ifLetWithoutBoth: some Interactor<State, Action> {
    // MESSAGE ifLet needs action: and embed:
    body.ifLet(\.sheet) { Child() }
  }

  var scopeWithTwoProperties: some Interactor<State, Action> {
    // MESSAGE embed: makes an action from the child's
    body.scope(state: \.child, action: \.child, embed: \.child) { Child() }
  }

  var ifLetWithTwoProperties: some Interactor<State, Action> {
    // MESSAGE embed: makes an action from the child's
    body.ifLet(\.sheet, action: \.child, embed: \.child) { Child() }
  }
}
