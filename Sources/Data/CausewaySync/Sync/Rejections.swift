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
private struct Rejections<Mutation: CausewaySync.Mutation>: AsyncSequence, Sendable {
  let letters: LiveQuery<DeadLetter>

  func makeAsyncIterator() -> Iterator {
    Iterator(letters: letters.makeAsyncIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    var letters: LiveQuery<DeadLetter>.AsyncIterator
    private var waiting: ArraySlice<DeadLetter> = []
    private var seen: Set<Int64> = []

    init(letters: LiveQuery<DeadLetter>.AsyncIterator) {
      self.letters = letters
    }

    mutating func next(
      isolation: isolated (any Actor)?
    ) async throws -> Rejection<Mutation>? {
      while waiting.isEmpty {
        guard let present = try await letters.next(isolation: isolation) else { return nil }
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
  /// moment. Each iterator begins with the existing ones. If a mutation is sent again and refused
  /// again, it is yielded again. The sequence ends when the database was closed or the task was
  /// cancelled, and throws `PersistenceError` if the dead letters cannot be read.
  public nonisolated func rejections()
    -> some AsyncSequence<Rejection<Source.Mutation>, any Error> & Sendable
  {
    let query: SQL = """
      SELECT \(SQL.deadLetterColumns) FROM sync_dead_letter
      WHERE account = \(outbox.session.current?.account) AND collection = \(table.name)
      AND scope = \(scope) ORDER BY sequence
      """
    return Rejections<Source.Mutation>(
      letters: outbox.persistence.observe(query, as: DeadLetter.self))
  }
}
