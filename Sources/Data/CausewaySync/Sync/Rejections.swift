import CausewayDatabase
import Foundation

/// A mutation that was permanently refused; its effect is no longer shown.
public struct Rejection<Mutation: CausewaySync.Mutation>: Sendable {
  /// The mutation; `nil` if this version of the app cannot decode it.
  public var mutation: Mutation?
  /// The dead letter, with the reason.
  ///
  /// Its key is for ``Outbox/resend(_:)`` and ``Outbox/discard(_:)``.
  public var letter: DeadLetter
}

/// The refused mutations of a scope: first the existing ones, then each new one.
public struct Rejections<Mutation: CausewaySync.Mutation>: AsyncSequence, Sendable {
  let letters: LiveQuery<DeadLetter>

  /// Makes an iterator; each iterator begins with the existing rejections.
  public func makeAsyncIterator() -> Iterator {
    Iterator(letters: letters.makeAsyncIterator())
  }

  /// Yields each rejection once.
  public struct Iterator: AsyncIteratorProtocol {
    var letters: LiveQuery<DeadLetter>.AsyncIterator
    private var waiting: ArraySlice<DeadLetter> = []
    private var seen: Set<Int64> = []

    init(letters: LiveQuery<DeadLetter>.AsyncIterator) {
      self.letters = letters
    }

    /// The next rejection; `nil` when the database was closed or the task was cancelled.
    ///
    /// - Throws: `PersistenceError` if the dead letters cannot be read.
    public mutating func next() async throws -> Rejection<Mutation>? {
      while waiting.isEmpty {
        guard let present = try await letters.next() else { return nil }
        waiting = present.filter { !seen.contains($0.sequence) }[...]
        // A sequence number is never used twice.
        seen = Set(present.map(\.sequence))
      }
      let letter = waiting.removeFirst()
      return Rejection(
        mutation: try? JSONDecoder().decode(Mutation.self, from: letter.payload), letter: letter)
    }
  }
}

extension SyncEngine {
  /// The refused mutations of the scope: first the existing ones, then each new one.
  ///
  /// The sequence is registered when this returns, for the account that is signed in at that
  /// moment. If a mutation is sent again and refused again, it is yielded again.
  public nonisolated func rejections() -> Rejections<Source.Mutation> {
    let query: SQL = """
      SELECT \(SQL.deadLetterColumns) FROM sync_dead_letter
      WHERE account = \(outbox.session.current?.account) AND collection = \(table.name)
      AND scope = \(scope) ORDER BY sequence
      """
    return Rejections(letters: outbox.persistence.observe(query, as: DeadLetter.self))
  }
}
