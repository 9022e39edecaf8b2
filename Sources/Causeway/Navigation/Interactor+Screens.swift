extension Interactor {
  /// Adds a child for each screen of a navigation stack, and applies the user's steps back.
  ///
  /// ```swift
  /// .screens(\.path, action: \.path, embed: Action.path) { Screens() }
  /// ```
  ///
  /// When a screen is removed from the path, its effects are cancelled. `send.dismiss()` in an
  /// effect of a screen removes the screen and the screens above it. An action for a missing screen
  /// is dropped. The first such action is reported as
  /// ``RuntimeError/missingChild(action:row:site:)``. A step back to a missing screen does nothing.
  ///
  /// The state of the child is the screen. If it is an enum, compose the child with
  /// ``ifCase(_:embed:action:embed:fileID:line:_:)`` for each case.
  ///
  /// Complexity: O(1) for an action of a screen, in the number of screens.
  ///
  /// - Parameters:
  ///   - path: The path in the state of this interactor.
  ///   - extract: The path's action in an action of this interactor, or `nil`; usually a computed
  ///     property.
  ///   - embed: Makes an action of this interactor from a path's action; usually an enum case.
  ///   - screen: The child of every screen. It handles an action before this interactor does.
  ///   - fileID: The file of the call, for reports of misuse; leave it to the compiler.
  ///   - line: The line of the call.
  @inlinable
  public func screens<Screen, ScreenAction, Child: Interactor<Screen, ScreenAction>>(
    _ path: WritableKeyPath<State, ScreenPath<Screen>>,
    action extract: @escaping (Action) -> PathAction<Screen, ScreenAction>?,
    embed: @escaping @MainActor (PathAction<Screen, ScreenAction>) -> Action,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @InteractorBuilder<Screen, ScreenAction> _ screen: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    let parent = resolve()
    let child = LazyChild { screen().resolve() }
    let path = StatePart(path)
    let site = CompositionSite(fileID: fileID, line: line)
    return parent.wrapped { state, action, values in
      switch extract(action) {
      case nil: break
      case .pop: path.modify(state) { _ = $0.pointee.pop() }
      case .popTo(let id): path.modify(state) { $0.pointee.popTo(id) }
      case .screen(let id, let screenAction):
        let handle = child.handle
        let emission = path.modify(state) { path in
          path.pointee.storage.modify(id: id) { handle(&$0.screen, screenAction, values) }
        }
        let parentEmission = parent.handle(state, action, values)
        guard let emission else {
          return .both(site.missing(screenAction, row: id), parentEmission)
        }
        if emission.node == nil { return parentEmission }
        let lens = ScreenLens(site, child.resolved, path, id, embed: embed)
        return .both(emission.lifted(lens), parentEmission)
      }
      return parent.handle(state, action, values)
    }
  }
}

extension Interactor {
  /// Not available: `embed:` is missing.
  @available(
    *, unavailable,
    message: "screens needs embed:, which makes an action from the path's: embed: Action.path"
  )
  public func screens<Screen, ScreenAction, Child: Interactor>(
    _ path: WritableKeyPath<State, ScreenPath<Screen>>,
    action extract: @escaping (Action) -> PathAction<Screen, ScreenAction>?,
    @InteractorBuilder<Screen, ScreenAction> _ screen: @escaping () -> Child
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }
}

/// The lens of a screen in a navigation stack.
@usableFromInline
final class ScreenLens<
  Screen: Identifiable & Sendable, ParentState: Sendable, ParentAction: Sendable, Action: Sendable
>: ChildLens<ParentState, ParentAction, Screen, Action> where Screen.ID: Sendable {
  private let path: StatePart<ParentState, ScreenPath<Screen>>
  private let id: ScreenID<Screen.ID>
  private let embedAction: @MainActor (PathAction<Screen, Action>) -> ParentAction

  @usableFromInline
  init(
    _ site: CompositionSite, _ child: ResolvedInteractor<Screen, Action>,
    _ path: StatePart<ParentState, ScreenPath<Screen>>, _ id: ScreenID<Screen.ID>,
    embed: @escaping @MainActor (PathAction<Screen, Action>) -> ParentAction
  ) {
    self.path = path
    self.id = id
    embedAction = embed
    super.init(site, child, row: AnyHashable(id), canGo: true)
  }

  override func value(in parent: ParentState) -> Screen? {
    path.read(parent)[id: id]
  }

  override func look(
    _ parent: UnsafeMutablePointer<ParentState>, _ body: (UnsafeMutablePointer<Screen>) -> UInt64?
  ) -> UInt64? {
    path.look(parent) { path in
      path.pointee.storage.look(id: id) { entry in body(&entry.pointee.screen) }
    }
  }

  override func stamp(_ parent: UnsafeMutablePointer<ParentState>) -> UInt64? {
    path.look(parent) { $0.pointee.storage.membership }
  }

  override func modify(
    _ parent: UnsafeMutablePointer<ParentState>, _ update: Update
  ) -> Emission<Screen, Action>? {
    path.modify(parent) { path in
      path.pointee.storage.modify(id: id) { update(&$0.screen) }
    }
  }

  override var isRemovable: Bool { true }

  override func remove(from parent: UnsafeMutablePointer<ParentState>) {
    path.modify(parent) { $0.pointee.pop(from: id) }
  }

  override func embed(_ action: Action) -> ParentAction {
    embedAction(.screen(id, action))
  }
}
