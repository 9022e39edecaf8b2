/// The place in the source where a child is composed into its parent.
///
/// One object for each resolved composition, so its identity separates the effects of children.
@usableFromInline
final class CompositionSite: Sendable, CustomStringConvertible {
  private let fileID: StaticString
  private let line: UInt

  @usableFromInline
  init(fileID: StaticString, line: UInt) {
    self.fileID = fileID
    self.line = line
  }

  @usableFromInline var description: String { "\(fileID):\(line)" }

  /// What to report when an action comes for a child that is not there.
  ///
  /// Put into words only where it is reported, which most late actions are not.
  @usableFromInline
  func missing<State, Action>(
    _ action: some Sendable, row: (any Sendable)? = nil
  ) -> Emission<State, Action> {
    Emission(
      .report(once: ObjectIdentifier(self)) {
        .missingChild(
          action: Abbreviation.value(action), row: row.map { "\($0)" }, site: self.description)
      })
  }
}

/// A child's interactor, resolved when it is first needed, so that a feature can contain itself.
@MainActor
@usableFromInline
final class LazyChild<State: Sendable, Action: Sendable> {
  @usableFromInline let resolve: @MainActor () -> ResolvedInteractor<State, Action>
  @usableFromInline var known: ResolvedInteractor<State, Action>?
  /// The handler alone: reading it out of `known` would retain all of that for each action.
  ///
  /// Unchecked because every access to it is a single load or store on the main actor.
  @exclusivity(unchecked) @usableFromInline
  var handler: ResolvedInteractor<State, Action>.PlacedHandler?

  @usableFromInline
  init(_ resolve: @escaping @MainActor () -> ResolvedInteractor<State, Action>) {
    self.resolve = resolve
  }

  @inlinable var resolved: ResolvedInteractor<State, Action> {
    if let known { return known }
    let resolved = resolve()
    known = resolved
    handler = resolved.handle
    return resolved
  }

  @inlinable var handle: ResolvedInteractor<State, Action>.PlacedHandler {
    if let handler { return handler }
    return resolved.handle
  }
}
