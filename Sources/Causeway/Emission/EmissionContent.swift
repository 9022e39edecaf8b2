/// What an emission would do, to look at it in a test.
///
/// ```swift
/// var state = Search.State()
/// let content = Search().emission(for: .edit("a"), on: &state)
/// #expect(content == .effect(id: "search", .debounce(for: .milliseconds(300))))
/// ```
public indirect enum EmissionContent<Action: Sendable>: Sendable {
  /// Nothing starts.
  case state
  /// An effect starts as its policy decides; the id of a nameless one is that of its place.
  case effect(id: EffectID, EffectPolicy)
  /// An action is fed back; one of a child as its parent sees it.
  case action(Action)
  /// What runs or waits under an id is cancelled.
  case cancel(EffectID)
  /// Several emissions are done together.
  case merge([EmissionContent])
  /// Several emissions are done one after the other.
  case sequence([EmissionContent])
  /// A merge or a sequence with an id starts as its policy decides.
  case group(id: EffectID, EffectPolicy, EmissionContent)
}

extension EmissionContent: Equatable where Action: Equatable {}

extension Emission {
  /// What the emission would do.
  ///
  /// Complexity: O(*n*) in the number of its parts.
  @MainActor
  public var content: EmissionContent<Action> {
    node?.content { $0 } ?? .state
  }
}

extension EmissionNode {
  /// The content, with the actions as another interactor sees them.
  @MainActor
  func content<Root>(_ embed: (Action) -> Root) -> EmissionContent<Root> {
    switch self {
    case .effect(let request):
      .effect(id: EffectID(request.name, request.place), request.policy)
    case .action(let action): .action(embed(action))
    case .group(let request):
      .group(
        id: EffectID(request.name, request.place), request.policy, request.node.content(embed))
    case .cancel(let id): .cancel(id)
    case .merge(let nodes): .merge(nodes.map { $0.content(embed) })
    case .sequence(let nodes): .sequence(nodes.map { $0.content(embed) })
    case .child(let emission): emission.content(embed)
    case .scoped(_, let node): node.content(embed)
    case .report: .state
    }
  }
}

extension EffectID {
  fileprivate init(_ name: EffectName?, _ place: EffectPlace) {
    self = name.map { EffectID($0) } ?? EffectID(place)
  }
}
