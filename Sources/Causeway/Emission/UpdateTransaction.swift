/// Wraps the publication of a change, for an animation for example.
///
/// ```swift
/// await send(.loaded(items), .animation(.default))   // on Apple's systems
/// ```
public struct UpdateTransaction: Sendable {
  let publish: @MainActor (@MainActor () -> Void) -> Void

  /// Makes a transaction.
  ///
  /// - Parameter publish: Called on the main actor with the closure that publishes the change,
  ///   which it must call exactly once and before it returns.
  public init(_ publish: @escaping @MainActor (_ body: @MainActor () -> Void) -> Void) {
    self.publish = publish
  }
}
