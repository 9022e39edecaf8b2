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
  /// The text is made only for a report. Most actions to missing children are not reported.
  @usableFromInline
  func missing<State, Action>(
    _ action: some Sendable, row: (any Sendable)? = nil
  ) -> Emission<State, Action> {
    Emission(
      .report(once: ObjectIdentifier(self)) {
        .missingChild(
          action: CaseNames.of(action), row: row.map { "\($0)" }, site: self.description)
      })
  }
}

extension Emission {
  /// Returns the emission with its effects in a separate scope.
  ///
  /// Two interactors of one type in one body start effects at the same source location, and with
  /// the same ids. Those effects must not cancel each other.
  @inlinable
  func scoped(to site: CompositionSite) -> Emission {
    Emission(node.map { .scoped(site, $0) })
  }
}
