extension Interactor {
  /// Adds a child that is always there.
  ///
  /// ```swift
  /// .scope(state: \.search, action: \.search, embed: Action.search) { SearchInteractor(api: api) }
  /// ```
  ///
  /// - Parameters:
  ///   - part: The child's state in this one's.
  ///   - extract: The child's action in this one's, or `nil`; usually a computed property.
  ///   - embed: Makes this one's action of the child's; usually an enum case.
  ///   - child: The child. It handles an action before this interactor does.
  ///   - fileID: The file of the call, for reports of misuse; leave it to the compiler.
  ///   - line: The line of the call.
  @inlinable
  public func scope<ChildState, ChildAction, Child: Interactor<ChildState, ChildAction>>(
    state part: WritableKeyPath<State, ChildState>,
    action extract: @escaping (Action) -> ChildAction?,
    embed: @escaping @MainActor (ChildAction) -> Action,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @InteractorBuilder<ChildState, ChildAction> _ child: () -> Child
  ) -> ResolvedInteractor<State, Action> {
    let parent = resolve()
    let child = child().resolve()
    let part = StatePart(part)
    let site = CompositionSite(fileID: fileID, line: line)
    let lens = ChildLens<State, Action, ChildState, ChildAction>(
      child: child, scope: site.scope(),
      read: { part.read($0) },
      modify: { state, update in part.modify(state) { update($0) } },
      embed: embed)
    return parent.wrapped { state, action in
      guard let childAction = extract(action) else { return parent.handle(state, action) }
      let emission = part.modify(state) { child.handle($0, childAction) }
      let parentEmission = parent.handle(state, action)
      if emission.node == nil { return parentEmission }
      return .both(emission.lifted(lens), parentEmission)
    }
  }
}

extension ResolvedInteractor {
  /// The same interactor with another handler around its own.
  @inlinable
  func wrapped(_ handle: @escaping PlacedHandler) -> ResolvedInteractor {
    ResolvedInteractor(initial: initial, updater: updater, handle: handle)
  }
}
