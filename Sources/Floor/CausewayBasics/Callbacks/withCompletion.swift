/// Runs an async operation and calls a completion handler with its result.
///
/// The handler is called exactly once, even after a cancellation.
///
/// ```swift
/// func load(completion: @escaping @MainActor @Sendable (Result<Image, any Error>) -> Void) {
///   withCompletion(completion) { try await loader.image() }
/// }
/// ```
///
/// - Parameters:
///   - completion: Called on the isolation of the closure, for example on the main actor.
///   - operation: Runs off the caller's actor.
/// - Returns: The task. Cancelling it cancels the operation, and the handler gets the error that
///   the operation throws, usually `CancellationError`.
@discardableResult
public func withCompletion<Value: Sendable>(
  _ completion: @escaping @isolated(any) @Sendable (Result<Value, any Error>) -> Void,
  _ operation: @escaping @concurrent @Sendable () async throws -> Value
) -> Task<Void, Never> {
  Task { @concurrent in
    let result: Result<Value, any Error>
    do {
      result = .success(try await operation())
    } catch {
      result = .failure(error)
    }
    await completion(result)
  }
}
