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
  ///   - removal: Called with the child's last state when the child is gone; see
  ///     <doc:Composition#When-a-child-goes>.
  ///   - fileID: The file of the call, for reports of misuse; leave it to the compiler.
  ///   - line: The line of the call.
  @inlinable
  public func ifLet<ChildState, ChildAction, Child: Interactor<ChildState, ChildAction>>(
    _ part: WritableKeyPath<State, ChildState?>,
    action extract: @escaping (Action) -> ChildAction?,
    embed: @escaping (ChildAction) -> Action,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @InteractorBuilder<ChildState, ChildAction> _ child: @escaping () -> Child,
    onRemoval removal: (@MainActor (inout State, ChildState) -> Emission<State, Action>)? = nil
  ) -> ResolvedInteractor<State, Action> {
    optionalChild(
      OptionalPart(part), action: extract, embed: { embed($0) },
      site: CompositionSite(fileID: fileID, line: line), child, removal)
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
  ///   - removal: Called with the child's last state when the child is gone; see
  ///     <doc:Composition#When-a-child-goes>.
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
    @InteractorBuilder<ChildState, ChildAction> _ child: @escaping () -> Child,
    onRemoval removal: (@MainActor (inout State, ChildState) -> Emission<State, Action>)? = nil
  ) -> ResolvedInteractor<State, Action> {
    optionalChild(
      OptionalPart(extract: extractState, embed: { embedState($0) }),
      action: extractAction, embed: { embedAction($0) },
      site: CompositionSite(fileID: fileID, line: line), child, removal)
  }

  /// Adds a child that exists while an optional enum is in one of its cases.
  ///
  /// Use it if only one of several children can be shown, such as a sheet, another sheet or an
  /// alert:
  ///
  /// ```swift
  /// .ifCase(\.add, of: \.destination, embed: Destination.add, action: \.add, embed: Action.add) {
  ///   MeetingForm()
  /// }
  /// .dialog(\.confirmation, of: \.destination, action: \.confirmation)
  /// ```
  ///
  /// The view of the child has the view model `model.scope(state: \.destination?.add, …)`.
  ///
  /// When the enum becomes `nil` or changes to another case, the child's effects are cancelled. The
  /// same happens when the payload is `Identifiable` and its id changes, because a new id means a new
  /// child. `send.dismiss()` in an effect of the child makes the enum `nil`. An action for a missing
  /// child is dropped. The first such action is reported as
  /// ``RuntimeError/missingChild(action:row:site:)``.
  ///
  /// - Parameters:
  ///   - extractState: The child's state in the enum, or `nil` in another case; usually a computed
  ///     property of the enum.
  ///   - part: The optional enum in the state of this interactor.
  ///   - embedState: Makes the enum from a child's state; usually the enum case.
  ///   - extractAction: The child's action in an action of this interactor, or `nil`; usually a
  ///     computed property.
  ///   - embedAction: Makes an action of this interactor from a child's action; usually an enum
  ///     case.
  ///   - child: The child. It handles an action before this interactor does.
  ///   - removal: Called with the child's last state when the child is gone; see
  ///     <doc:Composition#When-a-child-goes>.
  ///   - fileID: The file of the call, for reports of misuse; leave it to the compiler.
  ///   - line: The line of the call.
  @inlinable
  public func ifCase<Whole, ChildState, ChildAction, Child: Interactor<ChildState, ChildAction>>(
    _ extractState: @escaping (Whole) -> ChildState?,
    of part: WritableKeyPath<State, Whole?>,
    embed embedState: @escaping (ChildState) -> Whole,
    action extractAction: @escaping (Action) -> ChildAction?,
    embed embedAction: @escaping (ChildAction) -> Action,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @InteractorBuilder<ChildState, ChildAction> _ child: @escaping () -> Child,
    onRemoval removal: (@MainActor (inout State, ChildState) -> Emission<State, Action>)? = nil
  ) -> ResolvedInteractor<State, Action> {
    optionalChild(
      OptionalPart(of: part, extract: extractState, embed: { embedState($0) }),
      action: extractAction, embed: { embedAction($0) },
      site: CompositionSite(fileID: fileID, line: line), child, removal)
  }

  @inlinable
  func optionalChild<Child: Interactor>(
    _ part: OptionalPart<State, Child.State>,
    action extract: @escaping (Action) -> Child.Action?,
    embed: @escaping @MainActor (Child.Action) -> Action,
    site: CompositionSite,
    _ child: @escaping () -> Child,
    _ removal: (@MainActor (inout State, Child.State) -> Emission<State, Action>)?
  ) -> ResolvedInteractor<State, Action> {
    let parent = resolve().watched(by: RemovalHook(part, removal))
    let child = LazyChild { child().resolve() }
    let identity = PartIdentity<Child.State>()
    let composition = OptionalComposition(site, child, identity, part, embed: embed)
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
      return .both(emission.lifted(composition.lens(id)), parentEmission)
    }
  }
}
