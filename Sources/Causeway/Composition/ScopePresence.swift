/// Tells whether the child that an effect belongs to is still there.
@usableFromInline
struct ScopePresence<State>: Sendable {
  /// Where in the effect's path the child's scope begins.
  @usableFromInline var depth = 0
  /// Changes whenever a child of this composition may have gone; cheap to compute.
  ///
  /// `nil` where asking the children is as cheap.
  @usableFromInline let stamp: @MainActor (State) -> UInt64?
  @usableFromInline let isPresent: @MainActor (State) -> Bool

  @usableFromInline
  init(
    stamp: @escaping @MainActor (State) -> UInt64?,
    isPresent: @escaping @MainActor (State) -> Bool
  ) {
    self.stamp = stamp
    self.isPresent = isPresent
  }

  /// The same question, asked of the parent; without a parent there is no child.
  func lifted<ParentState>(
    _ read: @escaping @MainActor (ParentState) -> State?
  ) -> ScopePresence<ParentState> {
    var lifted = ScopePresence<ParentState>(
      stamp: { parent in
        guard let state = read(parent) else { return .max }
        return stamp(state)
      },
      isPresent: { read($0).map(isPresent) ?? false })
    lifted.depth = depth
    return lifted
  }

  /// The same question about the state in a box.
  func bound(to read: @escaping @MainActor () -> State) -> ScopePresence<Void> {
    var bound = ScopePresence<Void>(
      stamp: { stamp(read()) },
      isPresent: { isPresent(read()) })
    bound.depth = depth
    return bound
  }
}
