import CausewayData

/// A service whose transactions a test can delay or make fail.
struct HookedPersistence: PersistenceService {
  let service: any PersistenceService
  var beforeRead: @Sendable () async throws -> Void = {}
  var afterRead: @Sendable () async throws -> Void = {}
  var beforeWrite: @Sendable () async throws -> Void = {}

  func read<T: Sendable>(
    _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T {
    try await beforeRead()
    let value = try await service.read(body)
    try await afterRead()
    return value
  }

  func write<T: Sendable>(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    try await beforeWrite()
    return try await service.write(body)
  }

  func observe<T: Decodable & Equatable & Sendable>(
    _ query: SQL, as type: T.Type
  ) -> LiveQuery<T> {
    service.observe(query, as: type)
  }

  func eraseDeleted() async throws {
    try await service.eraseDeleted()
  }

  func close() async throws(PersistenceError) {
    try await service.close()
  }
}
