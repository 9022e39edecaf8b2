/// Two interactors that both see every action, in order; their emissions merge.
///
/// The builder makes it when a body lists several interactors.
public struct InteractorPair<First: Interactor, Second: Interactor>: Interactor
where First.State == Second.State, First.Action == Second.Action {
  /// The state of both.
  public typealias State = First.State
  /// The actions of both.
  public typealias Action = First.Action

  @usableFromInline let first: First
  @usableFromInline let second: Second

  @inlinable
  init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// The first one's initial value, and a handler that calls both handlers.
  @inlinable
  public func resolve() -> ResolvedInteractor<State, Action> {
    let first = self.first.resolve()
    let second = self.second.resolve()
    let site = CompositionSite(fileID: #fileID, line: #line)
    var updater: ResolvedInteractor<State, Action>.Updater?
    if first.updater != nil || second.updater != nil {
      // What the update itself returns belongs where its effect does; only what the second one's
      // `onChange` adds to it is put apart.
      updater = { state, update in
        var own = Emission<State, Action>.state
        let followed = first.apply(
          {
            second.apply(
              {
                own = update($0)
                return .state
              }, to: $0
            ).apart(site)
          }, to: state)
        return .both(own, followed)
      }
    }
    return ResolvedInteractor(initial: first.initial, updater: updater) { state, action in
      let emission = first.handle(state, action)
      return .both(emission, second.handle(state, action).apart(site))
    }
  }
}

extension Emission {
  /// The same emission, with its nameless effects apart from those of other interactors.
  ///
  /// Two interactors of a kind in one body call from the same place in the source, and must not
  /// cancel each other's effects. Ids that were given are shared by the whole body.
  @inlinable
  func apart(_ site: CompositionSite) -> Emission {
    node == nil ? self : apart(site.scope())
  }

  @usableFromInline
  func apart(_ scope: EffectScope) -> Emission {
    Emission(node?.apart(scope))
  }
}

extension EmissionNode {
  @usableFromInline
  func apart(_ scope: EffectScope) -> EmissionNode {
    switch self {
    case .effect(let request): return .effect(request.apart(scope))
    case .merge(let nodes): return .merge(nodes.map { $0.apart(scope) })
    case .sequence(let nodes): return .sequence(nodes.map { $0.apart(scope) })
    case .cancel(let id, let path) where id.place != nil:
      return .cancel(id, path: path + [scope])
    case .action, .cancel, .report: return self
    }
  }
}
