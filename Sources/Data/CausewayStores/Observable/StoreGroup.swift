/// The stores that must be saved before the process ends.
///
/// ```swift
/// stores.add(drafts)
/// for await _ in ShutdownSignal.received() {
///   await stores.close()
///   exit(0)
/// }
/// ```
///
/// Isolation: the main actor.
@MainActor
public final class StoreGroup {
  private var closings: [@MainActor () async throws -> Void] = []

  /// Makes an empty group.
  public init() {}

  /// Adds a store; the group holds it.
  public func add<Key: Hashable & Sendable, Value: Equatable & Sendable>(
    _ store: ObservableStore<Key, Value>
  ) {
    closings.append { try await store.close() }
  }

  /// Closes all stores in parallel.
  ///
  /// - Returns: One error for each store that could not be saved; empty if no changes are lost.
  public func close() async -> [any Error] {
    let closings = closings.map { close in Task { try await close() } }
    var errors: [any Error] = []
    for closing in closings {
      do { try await closing.value } catch { errors.append(error) }
    }
    return errors
  }
}
