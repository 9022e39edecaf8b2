/// How a child's emission and the sends of its effects reach its parent.
@usableFromInline
struct ChildLens<ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable>:
  Sendable
{
  /// The child's state; `nil` while there is no child.
  @usableFromInline let read: @MainActor (ParentState) -> State?
  /// Changes the child's state in place; `nil`, and no call, while there is no child.
  @usableFromInline let modify:
    @MainActor (UnsafeMutablePointer<ParentState>, ResolvedInteractor<State, Action>.Update)
      -> Emission<State, Action>?
  @usableFromInline let embed: @MainActor (Action) -> ParentAction
  @usableFromInline let child: ResolvedInteractor<State, Action>
  @usableFromInline let scope: EffectScope
  /// Tells when the child is gone; `nil` for a child that is always there.
  @usableFromInline let presence: ScopePresence<ParentState>?

  @usableFromInline
  init(
    child: ResolvedInteractor<State, Action>,
    scope: EffectScope,
    presence: ScopePresence<ParentState>? = nil,
    read: @escaping @MainActor (ParentState) -> State?,
    modify:
      @escaping @MainActor (
        UnsafeMutablePointer<ParentState>, ResolvedInteractor<State, Action>.Update
      )
      -> Emission<State, Action>?,
    embed: @escaping @MainActor (Action) -> ParentAction
  ) {
    self.child = child
    self.scope = scope
    self.presence = presence
    self.read = read
    self.modify = modify
    self.embed = embed
  }

  /// Applies an update, and the child's own `onChange`, to the child in its parent.
  @MainActor
  func apply(
    _ update: ResolvedInteractor<State, Action>.Update,
    to parent: UnsafeMutablePointer<ParentState>
  ) -> Emission<ParentState, ParentAction> {
    modify(parent) { child.apply(update, to: $0) }?.lifted(self) ?? .state
  }
}

extension Emission {
  /// The emission as one of the parent.
  @usableFromInline
  @MainActor
  func lifted<ParentState, ParentAction>(
    _ lens: ChildLens<ParentState, ParentAction, State, Action>
  ) -> Emission<ParentState, ParentAction> {
    Emission<ParentState, ParentAction>(node?.lifted(lens))
  }
}

extension EmissionNode {
  @MainActor
  fileprivate func lifted<ParentState, ParentAction>(
    _ lens: ChildLens<ParentState, ParentAction, State, Action>
  ) -> EmissionNode<ParentState, ParentAction> {
    switch self {
    case .effect(let request): .effect(request.lifted(lens))
    case .action(let action): .action(lens.embed(action))
    case .cancel(let id, let path): .cancel(id, path: path + [lens.scope])
    case .merge(let nodes): .merge(nodes.map { $0.lifted(lens) })
    case .sequence(let nodes): .sequence(nodes.map { $0.lifted(lens) })
    case .report(let once, let error): .report(once: once, error)
    }
  }
}

extension EffectRequest {
  @MainActor
  fileprivate func lifted<ParentState, ParentAction>(
    _ lens: ChildLens<ParentState, ParentAction, State, Action>
  ) -> EffectRequest<ParentState, ParentAction> {
    var identity = self.identity
    var presences = self.presences?.map { $0.lifted(lens.read) } ?? []
    if var presence = lens.presence {
      presence.depth = identity.path.count
      presences.append(presence)
    }
    identity.path.append(lens.scope)
    var catchParentError: EffectRequest<ParentState, ParentAction>.ErrorUpdate?
    if let catchError {
      catchParentError = { parent, error in
        lens.apply({ catchError($0, error) }, to: parent)
      }
    }
    return EffectRequest<ParentState, ParentAction>(
      identity, policy, presences: presences,
      work: { send in
        try await self.work(Send(send.effect, LiftedPort(send.port, lens)))
      },
      catchError: catchParentError)
  }
}
