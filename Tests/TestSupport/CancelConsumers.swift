/// Runs consumers that begin and are cancelled again and again, while a sender sends.
///
/// - Parameters:
///   - consumers: The number of consumers that exist at the same time.
///   - rounds: The number of consumers that replace each consumer, one after the other.
///   - consume: Reads a new stream until the task is cancelled.
///   - send: Called repeatedly, with ascending numbers from 0, until the consumers have ended.
public func cancelConsumers(
  _ consumers: Int = 4, rounds: Int, _ consume: @escaping @Sendable () async throws -> Void,
  while send: @escaping @Sendable (Int) async throws -> Void
) async throws {
  let rounds = scaled(rounds)
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      var number = 0
      while !Task.isCancelled {
        try await send(number)
        number += 1
        await Task.yield()
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { consuming in
      for _ in 0..<consumers {
        consuming.addTask {
          for _ in 0..<rounds {
            let task = Task { try await consume() }
            await Task.yield()
            await Task.yield()
            task.cancel()
            _ = await task.result
          }
        }
      }
      try await consuming.waitForAll()
    }
    group.cancelAll()
    do { try await group.waitForAll() } catch is CancellationError {}
  }
}
