/// What a store that is let go of still has to save.
struct StoreRest<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let backing: any StoreBacking<Key, Value>
  let changes: StoreChanges<Key, Value>
  /// What stays when all that the backing has is removed; `nil` if nothing more is removed.
  let kept: Set<Key>?

  /// Saves as much as it can; returns what went wrong.
  @concurrent
  func save() async -> (any Error)? {
    var changes = changes
    var failure: (any Error)?
    if let kept {
      do {
        let removed = try await backing.load().keys.filter { !kept.contains($0) }
        changes.removed.formUnion(removed)
      } catch {
        // What is known is saved all the same.
        failure = error
      }
    }
    if !changes.isEmpty {
      do { try await backing.save(changes) } catch { failure = error }
    }
    return failure
  }
}
