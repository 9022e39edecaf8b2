public import CausewayBasics
public import CausewayDatabase
public import CausewayNetwork
import CausewayStores
import Synchronization

/// Reads data from the database and from the network, as defined by a policy.
///
/// ```swift
/// switch await reader.read(today, policy: .staleWhileRevalidate) {
/// case .success(let activities): …
/// case .failure(let error): …
/// }
/// ```
///
/// - A response is not stored if a write has made it out of date since its request, or if the
///   response to a later request is already stored.
/// - With a session, a response is stored only if that session is still current. If no account is
///   signed in, reads fail.
/// - Concurrent reads of the same operation share one request, which is cancelled when the last of
///   these reads is cancelled. Two operations are the same if their request and their type of value
///   are the same. A read with ``ReadPolicy/networkOnly`` shares only a request that begins after
///   the read was called.
/// - A background refresh can be this shared request too. It continues without a caller, and is
///   cancelled when the reader is released.
public final class DataReader: Sendable {
  private let network: any NetworkService
  private let persistence: any PersistenceService
  private let session: (any SessionServiceProtocol)?
  private let onRefreshFailure: @Sendable (DataError) -> Void
  /// The latest fetch of each operation and session.
  private let fetches = Mutex<[String: any RunningFetch]>([:])
  /// Records which data is out of date.
  ///
  /// Pass it to the writers of the same data.
  public let freshness: DataFreshness

  /// The largest number of requests for a value, if writes make each response out of date.
  static let attempts = 3

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - network: The source of responses.
  ///   - persistence: The database that stores responses.
  ///   - session: The session whose account owns the data; `nil` in an app without accounts.
  ///   - freshness: Records which data is out of date. Share it with the writers of the same data.
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
    for fetch in fetches.withLock(\.values) { fetch.task?.cancel() }
  }

  /// Reads data as defined by a policy.
  ///
  /// With ``ReadPolicy/cacheFirst``, stored data that is out of date counts as not stored.
  ///
  /// - Parameters:
  ///   - operation: The data to read.
  ///   - policy: Whether to use the database, the network, or both.
  public func read<Response, Value>(
    _ operation: ReadOperation<Response, Value>, policy: ReadPolicy = .cacheFirst
  ) async -> Result<Value, DataError> {
    do {
      let ticket = try ticket()
      // The key is computed only once, because computing it encodes the body.
      let key = operation.key
      while true {
        do {
          return try await read(operation, key, ticket, policy)
        } catch is ReadAgain {
          continue
        }
      }
    } catch {
      return .failure(DataError(error))
    }
  }

  /// - Throws: `ReadAgain` if a response to another caller was stored in the meantime.
  private func read<Response, Value>(
    _ operation: ReadOperation<Response, Value>, _ key: String, _ ticket: SessionTicket?,
    _ policy: ReadPolicy
  ) async throws -> Result<Value, DataError> {
    if policy != .networkOnly {
      let lastStored = freshness.lastStored(key)
      let wasFresh = freshness.isFresh(key, operation.tags)
      let stored = try await persistence.read { try operation.load($0) }
      // In the meantime, another account may have stored data that this caller must not get.
      try ticket?.check()
      // The data must also have been fresh before the read: a response that was stored after the
      // read makes the data fresh, but `stored` does not contain it.
      let isFresh = wasFresh && freshness.isFresh(key, operation.tags)
      let isUsable = stored != nil && (policy != .cacheFirst || isFresh)
      if !policy.waitsForNetwork(isStored: isUsable) {
        if policy.refreshesBehind(isStored: isUsable) {
          refreshBehind(operation, key, ticket)
        }
        return stored.map { .success($0) } ?? .failure(.notStored)
      }
      if freshness.lastStored(key) != lastStored { throw ReadAgain() }
    }
    return .success(
      try await fetch(operation, key, ticket, needsNewRequest: policy == .networkOnly))
  }

  /// Requests data whenever a sequence yields, until the sequence ends.
  ///
  /// Use it for the data of a screen, with a sequence that yields when the app comes to the
  /// foreground or the network is back. Observers of the data receive the newer values. The errors
  /// of failed requests are passed to `onRefreshFailure`.
  ///
  /// - Parameters:
  ///   - operation: The data to read.
  ///   - signals: Yields when the data should be requested.
  /// - Throws: The error of the sequence.
  public func refresh<Response, Value, Signals: AsyncSequence>(
    _ operation: ReadOperation<Response, Value>, on signals: Signals
  ) async throws(Signals.Failure) {
    for try await _ in signals {
      if case .failure(let error) = await read(operation, policy: .networkOnly) {
        onRefreshFailure(error)
      }
    }
  }

  private func ticket() throws -> SessionTicket? {
    guard let session else { return nil }
    guard let ticket = session.current else { throw SessionError.signedOut }
    return ticket
  }

  /// Waits for the value of a running request, or of a new one.
  private func fetch<Response, Value>(
    _ operation: ReadOperation<Response, Value>, _ key: String, _ ticket: SessionTicket?,
    needsNewRequest: Bool
  ) async throws -> Value {
    let entry = Self.entry(key, operation.tags, ticket)
    let caller = SharedFetch<Value>.Caller()
    let fetch = fetches.withLock { fetches in
      if let running = fetches[entry] as? SharedFetch<Value>,
        running.join(caller, needsNewRequest: needsNewRequest)
      {
        return running
      }
      let fetch = SharedFetch<Value>()
      _ = fetch.join(caller)
      fetches[entry] = fetch
      start(fetch, entry, operation, key, ticket)
      return fetch
    }
    return try await caller.value { fetch.leave($0) }.get()
  }

  private func refreshBehind<Response, Value>(
    _ operation: ReadOperation<Response, Value>, _ key: String, _ ticket: SessionTicket?
  ) {
    let entry = Self.entry(key, operation.tags, ticket)
    fetches.withLock { fetches in
      if fetches[entry]?.keep() == true { return }
      let fetch = SharedFetch<Value>()
      _ = fetch.keep()
      fetches[entry] = fetch
      start(fetch, entry, operation, key, ticket)
    }
  }

  /// The key of a fetch; a later session does not share it.
  ///
  /// Reads with different tags also use different keys, because a fetch checks only its own tags.
  private static func entry(
    _ key: String, _ tags: Set<DataTag>, _ ticket: SessionTicket?
  ) -> String {
    "\(key) of \(ticket?.epoch ?? 0) \(tags.map(\.name).sorted())"
  }

  private func start<Response, Value>(
    _ fetch: SharedFetch<Value>, _ entry: String, _ operation: ReadOperation<Response, Value>,
    _ key: String, _ ticket: SessionTicket?
  ) {
    fetch.attach(
      Task { @concurrent [weak self, network, persistence, freshness] in
        let result: Result<Value, any Error>
        do {
          result = .success(
            try await Self.perform(
              fetch, operation, key, ticket, network, persistence, freshness))
        } catch {
          result = .failure(error)
        }
        // A later fetch may have replaced this entry.
        self?.fetches.withLock { if $0[entry] === fetch { $0[entry] = nil } }
        fetch.end(result)
        if fetch.isKept, case .failure(let error) = result {
          self?.onRefreshFailure(DataError(error))
        }
      })
  }

  private static func perform<Response, Value>(
    _ fetch: SharedFetch<Value>, _ operation: ReadOperation<Response, Value>, _ key: String,
    _ ticket: SessionTicket?, _ network: any NetworkService,
    _ persistence: any PersistenceService, _ freshness: DataFreshness
  ) async throws -> Value {
    for _ in 0..<attempts {
      fetch.begin()
      let request = freshness.request()
      let response = try await ticket.run { try await network.value(for: operation.endpoint) }
      let value = try await persistence.write { transaction -> Value? in
        // The check runs inside the transaction, so a logout or another write waits until the
        // transaction ends.
        try ticket?.check()
        fetch.close()
        guard freshness.isCurrent(operation.tags, since: request) else { return nil }
        // The stored response belongs to a later request, and is newer.
        guard freshness.admit(request, for: key) else {
          return try operation.load(transaction)
        }
        return try operation.store(response, transaction)
      }
      if let value {
        freshness.noteRefresh(key, by: request)
        return value
      }
      fetch.reopen()
    }
    throw DataError.overtaken
  }

  /// Waits for the running requests to end.
  package func refreshesEnded() async {
    for fetch in fetches.withLock({ Array($0.values) }) { await fetch.task?.value }
  }

  /// The number of callers that wait for requests with a key; for tests.
  package func waiting(for key: String) -> Int {
    fetches.withLock { fetches in
      fetches.reduce(0) { $0 + ($1.key.hasPrefix(key) ? $1.value.callerCount : 0) }
    }
  }
}
