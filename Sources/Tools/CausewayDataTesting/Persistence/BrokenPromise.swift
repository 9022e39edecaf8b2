import CausewayDatabase

/// The error of a promise that a persistence service breaks.
struct BrokenPromise: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// An error that the suite throws on purpose.
struct Refused: Error {}

func require(_ condition: Bool, _ promise: String) throws {
  guard condition else { throw BrokenPromise("Broken promise: \(promise).") }
}

func require<Value: Equatable>(_ found: Value, is expected: Value, _ promise: String) throws {
  guard found == expected else {
    throw BrokenPromise("Broken promise: \(promise). Expected \(expected), found \(found).")
  }
}

/// Runs an operation that must fail with an error of the given kinds, and returns the error.
@discardableResult
func requireFailure<T>(
  _ kinds: PersistenceError.Kind..., of promise: String, _ operation: () async throws -> T
) async throws -> PersistenceError {
  do {
    _ = try await operation()
  } catch let error as PersistenceError where kinds.contains(error.kind) {
    return error
  } catch {
    throw BrokenPromise("Broken promise: \(promise). It threw \(error), which is not of \(kinds).")
  }
  throw BrokenPromise("Broken promise: \(promise). It threw nothing.")
}

/// Runs an operation that must throw `CancellationError`.
func requireCancellation<T>(_ promise: String, _ operation: () async throws -> T) async throws {
  do {
    _ = try await operation()
  } catch is CancellationError {
    return
  } catch {
    throw BrokenPromise("Broken promise: \(promise). It threw \(error), not CancellationError.")
  }
  throw BrokenPromise("Broken promise: \(promise). It threw nothing.")
}

/// Cancels the current task.
func cancelCurrentTask() {
  withUnsafeCurrentTask { $0?.cancel() }
}
