/// Wraps the publication of a change, for example in an animation.
///
/// ```swift
/// await send(.loaded(items), .animation(.default))   // on Apple's systems
/// ```
public struct UpdateTransaction: Sendable {
  let publish: @MainActor (@MainActor () -> Void) -> Void

  /// Makes a transaction.
  ///
  /// - Parameter publish: Called on the main actor with the closure that publishes the change. It
  ///   must call that closure exactly once, before it returns.
  public init(_ publish: @escaping @MainActor (_ body: @MainActor () -> Void) -> Void) {
    self.publish = publish
  }
}
