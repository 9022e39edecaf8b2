extension Emission {
  /// Turns an emission of the child into an emission of the parent.
  @inlinable
  @MainActor
  func lifted<ParentState, ParentAction>(
    _ lens: ChildLens<ParentState, ParentAction, State, Action>
  ) -> Emission<ParentState, ParentAction> {
    guard let node else { return .state }
    return Emission<ParentState, ParentAction>(.child(LiftedEmission(node, lens)))
  }
}

@usableFromInline
final class LiftedEmission<
  ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable
>: ChildEmission<ParentState, ParentAction> {
  @usableFromInline let node: EmissionNode<State, Action>
  @usableFromInline let lens: ChildLens<ParentState, ParentAction, State, Action>

  /// Makes the port of a child that is not linked; specialised in the client's module.
  @usableFromInline
  let makePort:
    @MainActor (
      EffectPort<ParentState, ParentAction>, ChildLens<ParentState, ParentAction, State, Action>
    ) -> EffectPort<State, Action>

  @inlinable
  init(
    _ node: EmissionNode<State, Action>,
    _ lens: ChildLens<ParentState, ParentAction, State, Action>
  ) {
    self.node = node
    self.lens = lens
    makePort = { ChildPort($0, $1) }
  }

  override func carryOut(in parent: EffectPort<ParentState, ParentAction>, _ cascade: Cascade) {
    guard let known = parent.child(lens.composition, lens.row) else {
      return makePort(parent, lens).carryOut(node, cascade)
    }
    // All scopes of one composition are ports with the types of its lenses. A checked cast would
    // look up the metadata of the type.
    unsafeDowncast(known, to: EffectPort<State, Action>.self).carryOut(node, cascade)
  }
}
