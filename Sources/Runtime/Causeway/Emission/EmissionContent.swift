/// The content of an emission, for assertions in tests.
///
/// ```swift
/// var state = Search.State()
/// let content = Search().emission(for: .edit("a"), on: &state)
/// #expect(content == .effect(id: "search", .debounce(for: .milliseconds(300))))
/// ```
public indirect enum EmissionContent<Action: Sendable>: Sendable {
  /// The emission starts nothing.
  case state
  /// An effect with a policy. The id of a nameless effect is its source location.
  case effect(id: EffectID, EffectPolicy)
  /// An action that the interactor receives in the same turn. A child's action appears as an action
  /// of the parent.
  case action(Action)
  /// Cancels the running and waiting effects with an id.
  case cancel(EffectID)
  /// Several emissions that run concurrently.
  case merge([EmissionContent])
  /// Several emissions in sequence.
  case sequence([EmissionContent])
  /// A merge or a sequence with an id and a policy.
  case group(id: EffectID, EffectPolicy, EmissionContent)
}

extension EmissionContent: Equatable where Action: Equatable {}

extension Emission {
  /// The content of the emission.
  ///
  /// Complexity: O(*n*) in the number of its parts.
  @MainActor
  public var content: EmissionContent<Action> {
    node?.content { $0 } ?? .state
  }
}

extension EmissionNode {
  /// Returns the content with its actions converted to those of another interactor.
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
    case .scoped(_, let node), .change(let node): node.content(embed)
    case .report: .state
    }
  }
}

extension EffectID {
  fileprivate init(_ name: EffectName?, _ place: EffectPlace) {
    self = name.map { EffectID($0) } ?? EffectID(place)
  }
}
