import Synchronization

/// Reads data from what is stored and from the network, as a policy says.
///
/// ```swift
/// switch await reader.read(today, policy: .staleWhileRevalidate) {
/// case .success(let activities): …
/// case .failure(let error): …
/// }
/// ```
///
/// - An answer is stored only if no write has made it out of date since it was asked for, and no
///   answer that was asked for later is stored already.
/// - With a session, it is stored only if that session is still current; without a session, reads
///   fail.
/// - At most one refresh of the same operation runs behind; they are cancelled with the reader.
public final class DataReader: Sendable {
  private let network: any NetworkService
  private let persistence: any PersistenceService
  private let session: (any SessionServiceProtocol)?
  private let onRefreshFailure: @Sendable (DataError) -> Void
  private let refreshes = Mutex<[String: Task<Void, Never>]>([:])
  /// What is out of date; give it to the writers of the same data.
  public let freshness: DataFreshness

  /// How often an answer that writes made out of date is asked for anew.
  static let attempts = 3

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - network: Where answers come from.
  ///   - persistence: Where they are stored.
  ///   - session: The session whose account owns the data; `nil` in an app without accounts.
  ///   - freshness: What is out of date; shared with the writers of the same data.
  ///   - onRefreshFailure: Called when a background refresh has failed.
  public init(
    network: any NetworkService,
    persistence: any PersistenceService,
    session: (any SessionServiceProtocol)? = nil,
    freshness: DataFreshness = DataFreshness(),
    onRefreshFailure: @escaping @Sendable (DataError) -> Void = { _ in }
  ) {
    self.network = network
    self.persistence = persistence
    self.session = session
    self.freshness = freshness
    self.onRefreshFailure = onRefreshFailure
  }

  deinit {
    for task in refreshes.withLock(\.values) { task.cancel() }
  }

  /// Reads data as a policy says.
  ///
  /// With ``ReadPolicy/cacheFirst`` what is stored but out of date counts as not stored.
  ///
  /// - Parameters:
  ///   - operation: What to read.
  ///   - policy: Where from.
  public func read<Response, Value>(
    _ operation: ReadOperation<Response, Value>, policy: ReadPolicy = .cacheFirst
  ) async -> Result<Value, DataError> {
    do {
      let ticket = try ticket()
      // Once, because a body is encoded for it.
      let key = operation.key
      if policy != .networkOnly {
        let wasFresh = freshness.isFresh(key, operation.tags)
        let stored = try await persistence.read { try operation.load($0) }
        // The caller must not get what another account has stored since.
        try ticket?.check()
        // Before, because an answer may have been stored since, of which these rows know nothing.
        let isFresh = wasFresh && freshness.isFresh(key, operation.tags)
        let isUsable = stored != nil && (policy != .cacheFirst || isFresh)
        if !policy.waitsForNetwork(isStored: isUsable) {
          if policy.refreshesBehind(isStored: isUsable) {
            refreshBehind(operation, key, ticket)
          }
          return stored.map { .success($0) } ?? .failure(.notStored)
        }
      }
      return .success(
        try await Self.fetch(operation, key, ticket, network, persistence, freshness))
    } catch {
      return .failure(DataError(error))
    }
  }

  private func ticket() throws -> SessionTicket? {
    guard let session else { return nil }
    guard let ticket = session.current else { throw SessionError.signedOut }
    return ticket
  }

  private static func fetch<Response, Value>(
    _ operation: ReadOperation<Response, Value>, _ key: String, _ ticket: SessionTicket?,
    _ network: any NetworkService, _ persistence: any PersistenceService,
    _ freshness: DataFreshness
  ) async throws -> Value {
    for _ in 0..<attempts {
      let request = freshness.request()
      let response = try await ticket.run { try await network.value(for: operation.endpoint) }
      let value = try await persistence.write { transaction -> Value? in
        // Inside the transaction: a logout or a write that comes later waits for it.
        try ticket?.check()
        guard freshness.isCurrent(operation.tags, since: request) else { return nil }
        // What was asked for later is stored already, and newer than this.
        guard freshness.admit(request, for: key) else {
          return try operation.load(transaction)
        }
        return try operation.store(response, transaction)
      }
      if let value {
        freshness.noteRefresh(key, by: request)
        return value
      }
    }
    throw DataError.overtaken
  }

  private func refreshBehind<Response, Value>(
    _ operation: ReadOperation<Response, Value>, _ key: String, _ ticket: SessionTicket?
  ) {
    let entry = "\(key) of \(ticket?.epoch ?? 0)"
    refreshes.withLock { refreshes in
      guard refreshes[entry] == nil else { return }
      refreshes[entry] = Task { @concurrent [weak self, network, persistence, freshness] in
        do {
          _ = try await Self.fetch(operation, key, ticket, network, persistence, freshness)
        } catch {
          self?.onRefreshFailure(DataError(error))
        }
        // Only this task removes the entry that it was inserted under.
        self?.refreshes.withLock { _ = $0.removeValue(forKey: entry) }
      }
    }
  }

  /// Returns when the refreshes that run behind have ended.
  package func refreshesEnded() async {
    for task in refreshes.withLock({ Array($0.values) }) { await task.value }
  }
}
