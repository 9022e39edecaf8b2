import Causeway

/// A feature with several sibling children of one type.
struct Siblings: Interactor {
  struct State: Sendable {
    var leaf = Leaf.State()
  }

  enum Action: Sendable {
    case child(Int, Leaf.Action)
  }

  let count: Int

  var body: some InteractorOf<Self> {
    (0..<count).reduce(Interact<State, Action>(initialValue: State()) { _, _ in .state }.resolve())
    {
      parent, index in
      parent.scope(
        state: \.leaf,
        action: { action in
          if case .child(index, let action) = action { action } else { nil }
        }, embed: { Action.child(index, $0) }
      ) { Leaf() }
    }
  }
}

extension Bench {
  /// Measures sends to one of several sibling children.
  mutating func measureSiblings() {
    for count in [1, 10, 100] {
      let model = ViewModel(Siblings(count: count))
      var leaf = Leaf.State()
      let isChild: [(Siblings.Action) -> Leaf.Action?] = (0..<count).map { index in
        { action in if case .child(index, let action) = action { action } else { nil } }
      }
      measure(
        "send to one of \(count) sibling scopes", target: "<= 3 x floor, 0 allocations",
        operations: 1_000_000 / count, mayAllocate: false
      ) {
        for index in 0..<$0 {
          for extract in isChild where extract(.child(index % count, .increment)) != nil {
            leaf.count += 1
          }
        }
      } work: {
        for index in 0..<$0 { model.send(.child(index % count, .increment)) }
      }
    }
  }
}
