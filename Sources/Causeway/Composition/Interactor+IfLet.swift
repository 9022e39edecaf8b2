extension Interactor {
  /// Adds a child that exists while an optional part of the state exists.
  ///
  /// ```swift
  /// .ifLet(\.sheet, action: \.sheet, embed: Action.sheet) { SheetInteractor() }
  /// ```
  ///
  /// When the part becomes `nil`, the child's effects are cancelled. The same happens when the part
  /// is `Identifiable` and its id changes, because a new id means a new child. An action for a
  /// missing child is dropped. The first such action is reported as
  /// ``RuntimeError/missingChild(action:row:site:)``.
  ///
  /// - Parameters:
  ///   - part: The child's state in the state of this interactor.
  ///   - extract: The child's action in an action of this interactor, or `nil`; usually a computed
  ///     property.
  ///   - embed: Makes an action of this interactor from a child's action; usually an enum case.
  ///   - child: The child. It handles an action before this interactor does.
  ///   - fileID: The file of the call, for reports of misuse; leave it to the compiler.
  ///   - line: The line of the call.
  @inlinable
  public func ifLet<ChildState, ChildAction, Child: Interactor<ChildState, ChildAction>>(
    _ part: WritableKeyPath<State, ChildState?>,
    action extract: @escaping (Action) -> ChildAction?,
    embed: @escaping (ChildAction) -> Action,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @InteractorBuilder<ChildState, ChildAction> _ child: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    optionalChild(
      OptionalPart(part), action: extract, embed: { embed($0) },
      site: CompositionSite(fileID: fileID, line: line), child)
  }

  /// Adds a child that exists while the state is in one of its cases.
  ///
  /// ```swift
  /// .ifCase(\.loaded, embed: State.loaded, action: \.loaded, embed: Action.loaded) {
  ///   LoadedInteractor()
  /// }
  /// ```
  ///
  /// When the state changes to another case, the child's effects are cancelled. The same happens
  /// when the payload is `Identifiable` and its id changes, because a new id means a new child. An
  /// action for a missing child is dropped. The first such action is reported as
  /// ``RuntimeError/missingChild(action:row:site:)``.
  ///
  /// - Parameters:
  ///   - extractState: The child's state in the state of this interactor, or `nil` in another case.
  ///   - embedState: Makes a state of this interactor from a child's state; usually the enum case.
  ///   - extractAction: The child's action in an action of this interactor, or `nil`; usually a
  ///     computed property.
  ///   - embedAction: Makes an action of this interactor from a child's action; usually an enum
  ///     case.
  ///   - child: The child. It handles an action before this interactor does.
  ///   - fileID: The file of the call, for reports of misuse; leave it to the compiler.
  ///   - line: The line of the call.
  @inlinable
  public func ifCase<ChildState, ChildAction, Child: Interactor<ChildState, ChildAction>>(
    _ extractState: @escaping (State) -> ChildState?,
    embed embedState: @escaping (ChildState) -> State,
    action extractAction: @escaping (Action) -> ChildAction?,
    embed embedAction: @escaping (ChildAction) -> Action,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @InteractorBuilder<ChildState, ChildAction> _ child: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    optionalChild(
      OptionalPart(extract: extractState, embed: { embedState($0) }),
      action: extractAction, embed: { embedAction($0) },
      site: CompositionSite(fileID: fileID, line: line), child)
  }

  @inlinable
  func optionalChild<Child: Interactor>(
    _ part: OptionalPart<State, Child.State>,
    action extract: @escaping (Action) -> Child.Action?,
    embed: @escaping @MainActor (Child.Action) -> Action,
    site: CompositionSite,
    _ child: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    let parent = resolve()
    let child = LazyChild { child().resolve() }
    let identity = PartIdentity<Child.State>()
    let lenses = OptionalLensCache<State, Action, Child.State, Child.Action>()
    return parent.wrapped(exchange: SharedExchange.optionalChild(part, child)) {
      state, action, values in
      guard let childAction = extract(action) else { return parent.handle(state, action, values) }
      let handle = child.handle
      // The id is read before the parent's handler runs, because the effects belong to the child
      // that exists now.
      var id: AnyHashable?
      let emission = part.modify(state) { childState in
        let emission = handle(childState, childAction, values)
        if emission.node != nil { id = identity?(childState) }
        return emission
      }
      let parentEmission = parent.handle(state, action, values)
      guard let emission else { return .both(site.missing(childAction), parentEmission) }
      if emission.node == nil { return parentEmission }
      let lens = lenses.lens(id) {
        OptionalLens(site, child.resolved, part, identity, id: id, embed: embed)
      }
      return .both(emission.lifted(lens), parentEmission)
    }
  }
}
