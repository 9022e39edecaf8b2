/// An emission of a child.
///
/// The parent does not depend on the types of the child.
@MainActor
@usableFromInline
class ChildEmission<ParentState: Sendable, ParentAction: Sendable> {
  @inlinable
  init() {}

  func carryOut(in parent: EffectPort<ParentState, ParentAction>, _ cascade: Cascade) {
    preconditionFailure("\(Self.self) must override carryOut(in:_:)")
  }
}
