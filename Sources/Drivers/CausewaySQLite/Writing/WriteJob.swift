import CausewayDatabase
import Synchronization

/// The work of one write; the caller keeps its result.
struct WriteJob: Sendable {
  let perform: @Sendable (SQLiteWriteTransaction) throws -> Void
}

/// Carries a result from the writer's isolation back to the caller.
final class Outcome<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func store(_ value: Value) {
    self.value.withLock { $0 = value }
  }

  func take() throws -> Value {
    // The writer reports success only after the job has stored its value.
    guard let value = value.withLock({ $0.take() }) else { throw PersistenceError.aborted }
    return value
  }
}
