/// Visits the shared values in the state of a feature and of its children.
///
/// The functions that make an exchange are not inlined: trees without shared values only keep the
/// closures. The exchange is a class, because an optional reference takes one word, and most
/// runtimes have no exchange.
@MainActor
@usableFromInline
final class SharedExchange<State: Sendable> {
  /// Visits the shared values in a state, and returns whether one of them is old.
  let visit: @MainActor (UnsafeMutablePointer<State>, SharedStep) -> Bool
  /// Whether the feature or a child shares a value.
  ///
  /// `around` has the types of the features that contain this one. A type in `around` is skipped,
  /// because a feature may contain itself.
  let canShare: @MainActor (_ around: Set<ObjectIdentifier>) -> Bool

  init(
    visit: @escaping @MainActor (UnsafeMutablePointer<State>, SharedStep) -> Bool,
    canShare: @escaping @MainActor (_ around: Set<ObjectIdentifier>) -> Bool
  ) {
    self.visit = visit
    self.canShare = canShare
  }

  /// Returns an exchange that visits both.
  @usableFromInline
  static func both(_ first: SharedExchange?, _ second: SharedExchange?) -> SharedExchange? {
    guard let first else { return second }
    guard let second else { return first }
    return SharedExchange(
      visit: { state, step in
        let isOld = first.visit(state, step)
        return second.visit(state, step) || isOld
      }, canShare: { first.canShare($0) || second.canShare($0) })
  }
}
