/// The source location that composes a child into its parent.
///
/// Each resolved composition has one object. Its identity separates the effects of children.
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

  /// Returns the finding for an action to a missing child.
  ///
  /// The text is made only for a report, because most late actions are not reported.
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

/// A child's interactor, resolved at the first use.
///
/// A feature can therefore contain itself.
@MainActor
@usableFromInline
final class LazyChild<State: Sendable, Action: Sendable> {
  @usableFromInline let resolve: @MainActor () -> ResolvedInteractor<State, Action>
  @usableFromInline var known: ResolvedInteractor<State, Action>?
  /// The handler of the resolved child.
  ///
  /// It is stored separately, because a read through `known` would retain all of `known` for each
  /// action.
  ///
  /// Unchecked: every access is a single load or store on the main actor.
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
