public import CausewayDatabase
import Foundation

/// The dead letters of a scope: first the existing ones, then each new one.
private struct Rejections: AsyncSequence, Sendable {
  let letters: LiveQuery<DeadLetter>

  func makeAsyncIterator() -> Iterator { Iterator(letters: letters.makeAsyncIterator()) }

  /// Yields each rejection once.
  struct Iterator: AsyncIteratorProtocol {
    private var letters: LiveQuery<DeadLetter>.AsyncIterator
    private var waiting: ArraySlice<DeadLetter> = []
    private var seen: Set<Int64> = []

    init(letters: LiveQuery<DeadLetter>.AsyncIterator) {
      self.letters = letters
    }

    mutating func next() async throws(PersistenceError) -> DeadLetter? {
      try await next(isolation: #isolation)
    }

    mutating func next(
      isolation: isolated (any Actor)?
    ) async throws(PersistenceError) -> DeadLetter? {
      while waiting.isEmpty {
        guard let present = try await letters.next(isolation: isolation) else { return nil }
        waiting = present.filter { !seen.contains($0.sequence) }[...]
        // A sequence number is never used twice.
        seen = Set(present.map(\.sequence))
      }
      return waiting.removeFirst()
    }
  }
}

extension DeadLetter {
  /// Returns the refused mutation; `nil` if this version of the app cannot decode it.
  public func mutation<M: Mutation>(as type: M.Type = M.self) -> M? {
    try? JSONDecoder().decode(M.self, from: payload)
  }
}

extension SyncEngine {
  /// The refused mutations of the scope, as dead letters: first the existing ones, then each new one.
  ///
  /// Their effects are no longer shown. The sequence ends when the database is closed or the task is
  /// cancelled, and throws if the dead letters cannot be read.
  ///
  /// The sequence is registered when this returns, for the account that is signed in at that
  /// moment. If a mutation is sent again and refused again, it is yielded again.
  public nonisolated func rejections()
    -> some AsyncSequence<DeadLetter, PersistenceError> & Sendable
  {
    let query: SQL = """
      SELECT \(SQL.deadLetterColumns) FROM sync_dead_letter
      WHERE account = \(outbox.session.current?.account) AND collection = \(table.name)
      AND scope = \(scope) ORDER BY sequence
      """
    return Rejections(letters: outbox.persistence.observe(query, as: DeadLetter.self))
  }
}
