import Causeway

extension Bench {
  /// Measures fields, screens and provided values.
  ///
  /// The floor is a form without Causeway.
  mutating func measureInterface() {
    let count = 1_000_000
    let form = FormByHand()
    let edited = ViewModel(Editor())
    measure("edit of one of five fields", target: "<= 2 µs", operations: count) {
      for index in 0..<$0 { form.handle(&form.state, .set(index)) }
    } work: {
      for index in 0..<$0 { edited.send(.edit(.set(\.fifth, to: index))) }
    }
    let stack = ViewModel(Stack())
    measure(
      "send to a screen of a path", target: "<= 100 ns, 0 allocations", operations: count,
      mayAllocate: false
    ) {
      for index in 0..<$0 { form.handle(&form.state, .set(index)) }
    } work: {
      for index in 0..<$0 { stack.send(.path(.screen(ScreenID(index & 3), .set(index)))) }
    }
    let provided = ViewModel(Limited().providing(.limit, 7))
    measure(
      "send, the handler reads a provided value", target: "<= 100 ns, 0 allocations",
      operations: count, mayAllocate: false
    ) {
      for index in 0..<$0 { form.handle(&form.state, .set(index)) }
    } work: {
      for index in 0..<$0 { provided.send(index) }
    }
    let twice = ViewModel(Limited().providing(.limit, 7).providing(.unit, 2))
    measure(
      "send, two provided keys", target: "<= 100 ns, 0 allocations", operations: count,
      mayAllocate: false
    ) {
      for index in 0..<$0 { form.handle(&form.state, .set(index)) }
    } work: {
      for index in 0..<$0 { twice.send(index) }
    }
  }
}

private struct Editor: Interactor {
  struct State: EditableState {
    var first = 0
    var second = 0
    var third = 0
    var fourth = 0
    var fifth = 0

    static let editableFields = [
      EditableField<State>("first", \.first), EditableField("second", \.second),
      EditableField("third", \.third), EditableField("fourth", \.fourth),
      EditableField("fifth", \.fifth),
    ]
  }

  enum Action: Sendable {
    case edit(FieldEdit<State>)

    var edit: FieldEdit<State>? { if case .edit(let edit) = self { edit } else { nil } }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()).editing(action: \.edit)
  }
}

private struct Stack: Interactor {
  struct State: Sendable {
    var path = ScreenPath((0..<4).map { Leaf.State(id: $0) })
  }

  enum Action: Sendable {
    case path(PathAction<Leaf.State, Leaf.Action>)

    var path: PathAction<Leaf.State, Leaf.Action>? {
      if case .path(let action) = self { action } else { nil }
    }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State())
      .screens(\.path, action: \.path, embed: Action.path) { Leaf() }
  }
}

extension ProvidedKey<Int> {
  fileprivate static var limit: Self { ProvidedKey("limit", default: 0) }
  fileprivate static var unit: Self { ProvidedKey("unit", default: 1) }
}

private struct Limited: Interactor {
  var body: some Interactor<Int, Int> {
    InteractWithValues(initialValue: 0) { state, action, values in
      state = min(action, values[.limit])
      return .state
    }
  }
}
