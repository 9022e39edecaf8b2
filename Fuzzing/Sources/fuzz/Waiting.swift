import Dispatch
import Synchronization

/// Blocks the thread, because libFuzzer calls a synchronous function.
func wait<Value: Sendable>(
  _ operation: @escaping @concurrent @Sendable () async throws -> Value
) -> Value {
  let done = DispatchSemaphore(value: 0)
  let result = Mutex<Result<Value, any Error>?>(nil)
  Task {
    let value: Result<Value, any Error>
    do { value = .success(try await operation()) } catch { value = .failure(error) }
    result.withLock { $0 = value }
    done.signal()
  }
  done.wait()
  switch result.withLock(\.self) {
  case .success(let value): return value
  case .failure(let error): fatalError("The operation has failed: \(error)")
  case nil: fatalError("The operation has not ended.")
  }
}
