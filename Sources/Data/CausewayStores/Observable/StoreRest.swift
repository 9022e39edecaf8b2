/// The unsaved changes of a store that is being released.
struct StoreRest<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let backing: any StoreBacking<Key, Value>
  let changes: StoreChanges<Key, Value>
  /// The keys to keep when all other keys of the backing are removed; `nil` if none are removed.
  let kept: Set<Key>?

  /// Saves as many changes as possible; returns the error, if any.
  @concurrent
  func save() async -> (any Error)? {
    var changes = changes
    var failure: (any Error)?
    if let kept {
      do {
        let removed = try await backing.load().keys.filter { !kept.contains($0) }
        changes.removed.formUnion(removed)
      } catch {
        // The known changes are still saved.
        failure = error
      }
    }
    if !changes.isEmpty {
      do { try await backing.save(changes) } catch { failure = error }
    }
    return failure
  }
}
