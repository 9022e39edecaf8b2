import CausewayDatabase

extension Writer {
  /// Runs a closure with a snapshot on a reader, and responds to damage that the closure finds.
  nonisolated func read<T: Sendable>(
    from readers: ReaderPool, _ body: @escaping @Sendable (SQLiteReadTransaction) throws -> T
  ) async throws -> T {
    try await handlingDamage {
      try await readers.withReader { reader in
        try await withBriefBlocking(configuration.ownThreads) {
          try await reader.read(timeout: busyTimeout, body)
        }
      }
    }
  }
}
