// Mistakes that the compiler must answer with a message of the library. The line above each of them
// contains the whole message of a declaration that is not available, or a part of the compiler's own
// message. Each message of the library must have a mistake. Scripts/validate checks both; no target
// compiles this file.
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
    var path: ScreenPath<Stop> = []
    var question: Dialog<Choice>?
  }
  struct Row: Sendable, Identifiable { var id = 0 }
  struct Stop: Sendable, Identifiable { var id = 0 }
  enum Choice: Sendable { case yes }
  enum Action: Sendable {
    case child(Child.Action), load, save, row(Int, Child.Action), sheet(Child.Action)
    case path(PathAction<Stop, Child.Action>), answer(DialogAnswer<Choice>), number(Int)
    var child: Child.Action? { if case .child(let action) = self { action } else { nil } }
    var aRow: (Int, Child.Action)? {
      if case .row(let id, let action) = self { (id, action) } else { nil }
    }
    var aPath: PathAction<Stop, Child.Action>? {
      if case .path(let action) = self { action } else { nil }
    }
    var aNumber: Int? { if case .number(let number) = self { number } else { nil } }
  }

  var body: some Interactor<State, Action> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .load:
        let copy = state
        // MESSAGE update the latest state: send { $0.items = items }, or discard the changes since it was read: send(replacing: state)
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
    // MESSAGE the policy comes before the sequence: .observe(.first, sequence) { state, element in
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
    // MESSAGE the child of scope always exists: use ifLet for an optional part of the state
    body.scope(state: \.sheet, action: \.child, embed: Action.child) { Child() }
  }

  var ifLetOfProperty: some Interactor<State, Action> {
    // MESSAGE ifLet needs an optional part of the state: use scope for a child that always exists, and ifCase for a case of an enum
    body.ifLet(\.child, action: \.child, embed: Action.child) { Child() }
  }

  var ifLetOfCase: some Interactor<State, Action> {
    // MESSAGE ifLet needs an optional part of the state: use scope for a child that always exists, and ifCase for a case of an enum
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
    // MESSAGE scope needs action:, which extracts the child's action: action: \.child
    body.scope(state: \.child, embed: Action.child) { Child() }
  }

  var scopeWithoutEmbed: some Interactor<State, Action> {
    // MESSAGE scope needs embed:, which makes an action from the child's: embed: Action.child
    body.scope(state: \.child, action: \.child) { Child() }
  }

  var scopeWithoutChild: some Interactor<State, Action> {
    // MESSAGE scope needs a closure that makes the child: { Child() }
    body.scope(state: \.child, action: \.child, embed: Action.child)
  }

  var ifLetWithoutBoth: some Interactor<State, Action> {
    // MESSAGE ifLet needs action: and embed:, such as action: \.child, embed: Action.child
    body.ifLet(\.sheet) { Child() }
  }

  var scopeWithTwoProperties: some Interactor<State, Action> {
    // MESSAGE embed: makes an action from the child's, usually by the enum case: embed: Action.child
    body.scope(state: \.child, action: \.child, embed: \.child) { Child() }
  }

  var ifLetWithTwoProperties: some Interactor<State, Action> {
    // MESSAGE embed: makes an action from the child's, usually by the enum case: embed: Action.child
    body.ifLet(\.sheet, action: \.child, embed: \.child) { Child() }
  }

  func policyFirstOfASend() -> Emission<State, Action> {
    // MESSAGE the policy comes before the sequence: .observe(.first, sequence, send: Action.new)
    .observe(AsyncStream<Int> { $0.finish() }, .first, send: Action.number)
  }

  var scopeWithoutBoth: some Interactor<State, Action> {
    // MESSAGE scope needs action: and embed:, such as action: \.child, embed: Action.child
    body.scope(state: \.child) { Child() }
  }

  var ifLetWithoutAction: some Interactor<State, Action> {
    // MESSAGE ifLet needs action:, which extracts the child's action: action: \.child
    body.ifLet(\.sheet, embed: Action.sheet) { Child() }
  }

  var ifLetWithoutEmbed: some Interactor<State, Action> {
    // MESSAGE ifLet needs embed:, which makes an action from the child's: embed: Action.child
    body.ifLet(\.sheet, action: \.child) { Child() }
  }

  var ifLetWithoutChild: some Interactor<State, Action> {
    // MESSAGE ifLet needs a closure that makes the child: { Child() }
    body.ifLet(\.sheet, action: \.child, embed: Action.child)
  }

  var forEachWithoutAction: some Interactor<State, Action> {
    // MESSAGE forEach needs action:, which extracts the id and the row's action: action: \.row
    body.forEach(\.rows, embed: Action.row) { RowFeature() }
  }

  var forEachWithoutEmbed: some Interactor<State, Action> {
    // MESSAGE forEach needs embed:, which makes an action from an id and the row's: embed: Action.row
    body.forEach(\.rows, action: \.aRow) { RowFeature() }
  }

  var forEachWithoutBoth: some Interactor<State, Action> {
    // MESSAGE forEach needs action: and embed:, such as action: \.row, embed: Action.row
    body.forEach(\.rows) { RowFeature() }
  }

  var forEachWithoutChild: some Interactor<State, Action> {
    // MESSAGE forEach needs a closure that makes the child: { Row() }
    body.forEach(\.rows, action: \.aRow, embed: Action.row)
  }

  var forEachWithAnotherAction: some Interactor<State, Action> {
    // MESSAGE action: must be the id of a row and the row's action, such as var row: (Row.ID, Row.Action)? in the action
    body.forEach(\.rows, action: \.child, embed: Action.row) { RowFeature() }
  }

  var forEachWithTwoProperties: some Interactor<State, Action> {
    // MESSAGE embed: makes an action from an id and the row's, usually by the enum case: embed: Action.row
    body.forEach(\.rows, action: \.aRow, embed: \.aRow) { RowFeature() }
  }

  var ifCaseWithoutSecondEmbed: some Interactor<State, Action> {
    // MESSAGE ifCase needs embed: after action: too, which makes an action from the child's
    body.ifCase(\.sheet, embed: { State(sheet: $0) }, action: \.child) { Child() }
  }

  var ifCaseWithoutFirstEmbed: some Interactor<State, Action> {
    // MESSAGE ifCase needs embed: before action: too, which makes a state from the child's
    body.ifCase(\.sheet, action: \.child, embed: Action.child) { Child() }
  }

  var screensWithoutEmbed: some Interactor<State, Action> {
    // MESSAGE screens needs embed:, which makes an action from the path's: embed: Action.path
    body.screens(\.path, action: \.aPath) { StopFeature() }
  }

  var screensWithAnotherAction: some Interactor<State, Action> {
    // MESSAGE action: must be the action of the path, such as var path: PathAction<Screen, ScreenAction>? in the action
    body.screens(\.path, action: \.aNumber, embed: Action.path) { StopFeature() }
  }

  var screensWithoutBoth: some Interactor<State, Action> {
    // MESSAGE screens needs action: and embed:, such as action: \.path, embed: Action.path
    body.screens(\.path) { StopFeature() }
  }

  var screensWithoutChild: some Interactor<State, Action> {
    // MESSAGE screens needs a closure that makes the child: { Screens() }
    body.screens(\.path, action: \.aPath, embed: Action.path)
  }

  var dialogWithAnotherAction: some Interactor<State, Action> {
    // MESSAGE action: must be the answer to the dialog, such as var confirmation: DialogAnswer<Choice>? in the action
    body.dialog(\.question, action: \.aNumber)
  }

  @MainActor func change(_ model: ViewModel<State, Action>) {
    // MESSAGE a view model's state is changed by actions: send an action, or bind the field
    model.child = Child.State()
  }
}

// MESSAGE type 'FieldsWithoutType' does not conform to protocol 'EditableState'
private struct FieldsWithoutType: EditableState {
  struct Address: Sendable { var street = "" }
  var name = ""
  var address = Address()
  // MESSAGE the type of the state is missing: write EditableField<Self>("name", \.name)
  static let editableFields = [EditableField("name", \.name)]
}

// MESSAGE type 'PartsWithoutType' does not conform to protocol 'EditableState'
private struct PartsWithoutType: EditableState {
  var address = FieldsWithoutType.Address()
  // MESSAGE the type of the state is missing: write EditableField<Self>("name", \.name)
  static let editableFields = [EditableField("street", \.address.street)]
}

private struct RowFeature: Interactor {
  var body: some Interactor<Parent.Row, Child.Action> {
    Interact { _, _ in .state }
  }
}

private struct StopFeature: Interactor {
  var body: some Interactor<Parent.Stop, Child.Action> {
    Interact { _, _ in .state }
  }
}
