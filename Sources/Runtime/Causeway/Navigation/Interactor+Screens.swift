extension Interactor {
  /// Adds a child for each screen of a navigation stack, and removes screens when the user goes
  /// back.
  ///
  /// ```swift
  /// .screens(\.path, action: \.path, embed: Action.path) { Screens() }
  /// ```
  ///
  /// When a screen is removed from the path, its effects are cancelled, even if the handler pushes a
  /// screen with the same id at once: a pushed screen is a new screen. `send.dismiss()` in an
  /// effect of a screen removes the screen and the screens above it. An action for a missing screen
  /// is dropped. The first such action is reported as
  /// ``RuntimeError/missingChild(action:row:site:)``. A ``PathAction/popTo(_:)`` with a missing
  /// screen does nothing.
  ///
  /// The state of the child is the screen. If it is an enum, compose the child with
  /// ``ifCase(_:embed:action:embed:fileID:line:_:onRemoval:)`` for each case.
  ///
  /// Complexity: O(1) for an action of a screen, in the number of screens.
  ///
  /// - Parameters:
  ///   - path: The path in the state of this interactor.
  ///   - extract: The path's action in an action of this interactor, or `nil`; usually a computed
  ///     property.
  ///   - embed: Makes an action of this interactor from a path's action; usually an enum case.
  ///   - screen: The child of every screen. It handles an action before this interactor does.
  ///   - removal: Called with the last state of each screen that is gone, from top to bottom; see
  ///     <doc:Composition#When-a-child-goes>.
  ///   - fileID: The file of the call, for reports of misuse; leave it to the compiler.
  ///   - line: The line of the call.
  @inlinable
  public func screens<Screen, ScreenAction, Child: Interactor<Screen, ScreenAction>>(
    _ path: WritableKeyPath<State, ScreenPath<Screen>>,
    action extract: @escaping (Action) -> PathAction<Screen, ScreenAction>?,
    embed: @escaping (PathAction<Screen, ScreenAction>) -> Action,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @InteractorBuilder<Screen, ScreenAction> _ screen: @escaping () -> Child,
    onRemoval removal: (@MainActor (inout State, Screen) -> Emission<State, Action>)? = nil
  ) -> ResolvedInteractor<State, Action> {
    let child = LazyChild { screen().resolve() }
    let site = CompositionSite(fileID: fileID, line: line)
    let storage = StatePart(path.appending(path: \.storage))
    let part = StatePart(\ScreenPath<Screen>.Entry.screen)
    let composition = RowComposition(
      child, storage, part,
      remove: { ScreenPath<Screen>.pop(from: $1, in: &$0) }, birth: { $0.birth },
      embed: { embed(.screen($0, $1)) })
    let path = StatePart(path)
    let base = resolve()
    var handler: RemovalHook<State, Action>.Handler<ScreenPath<Screen>.Entry>?
    if let removal { handler = { removal(&$0, $1.screen) } }
    let hook = RemovalHook<State, Action>(
      storage, fromEnd: true, isSame: { $0.birth.isSame(as: $1.birth) }, handler)
    let parent = base.watched(by: hook)
    return parent.wrapped(
      exchange: SharedExchange.rows(storage, part, child)
    ) { state, action, values in
      let goBack: (inout ScreenPath<Screen>) -> Void
      switch extract(action) {
      case nil: return parent.handle(state, action, values)
      case .pop: goBack = { _ = $0.pop() }
      case .popTo(let id): goBack = { $0.popTo(id) }
      case .screen(let id, let screenAction):
        let handle = child.handle
        // Read before the parent handles the action, because the parent may replace the screen.
        var birth: RowBirth?
        let emission = path.modify(state) { path in
          path.pointee.storage.modify(id: id) {
            birth = $0.birth
            return handle(&$0.screen, screenAction, values)
          }
        }
        let parentEmission = parent.handle(state, action, values)
        guard let emission else {
          return .both(site.missing(screenAction, row: id), parentEmission)
        }
        if emission.node == nil { return parentEmission }
        let lens = RowLens(composition, id, birth)
        return .both(emission.lifted(lens), parentEmission)
      }
      guard let hook else {
        path.modify(state) { goBack(&$0.pointee) }
        return base.handle(state, action, values)
      }
      return hook.around(state) {
        path.modify(state) { goBack(&$0.pointee) }
        return base.handle(state, action, values)
      }
    }
  }
}
