import CausewayBasics
import CausewayDatabase
import Synchronization

/// A pool of connections that read concurrently with each other and with the writer.
///
/// When all connections are in use, callers wait in the order of their calls.
final class ReaderPool: Sendable {
  fileprivate struct State {
    var idle: [Reader] = []
    /// The number of readers that exist or are being opened.
    var count = 0
    var inUse = 0
    var isPaused = false
    var isClosed = false
    /// The error that every read throws at present.
    var refusal: PersistenceError?
    var waiters: [Waiter<Result<Slot, any Error>>] = []
    /// The caller that waits for running reads to end.
    var drained: Waiter<Bool>?
  }

  /// The permission to read, with a connection if an idle one exists.
  fileprivate enum Slot: Sendable {
    case reader(Reader)
    case new
  }

  fileprivate typealias Admission = (waiter: Waiter<Result<Slot, any Error>>, slot: Slot)

  private let file: StoreFile
  private let limit: Int
  private let threads: BlockingThreads?
  private let state = Mutex(State())

  init(_ file: StoreFile, limit: Int, threads: BlockingThreads?) {
    self.file = file
    self.threads = threads
    self.limit = max(1, limit)
  }

  /// The number of callers that wait for a connection.
  var waitingCount: Int { state.withLock { $0.waiters.count } }

  /// Runs a closure with a connection from the pool.
  ///
  /// - Throws: The error of the closure; `CancellationError` while waiting; an error of kind
  ///   `closed`.
  func withReader<T>(_ use: (Reader) async throws -> T) async throws -> T {
    switch try await acquire() {
    case .reader(let reader):
      defer { release(reader) }
      return try await use(reader)
    case .new:
      let reader: Reader
      do { reader = try await open() } catch {
        release(nil)
        throw error
      }
      defer { release(reader) }
      return try await use(reader)
    }
  }

  /// Runs a closure with a new connection, which is closed afterwards.
  ///
  /// Use it for work that takes long, such as a backup. Reads can then use all connections of the
  /// pool. A pause waits for this work as it waits for reads.
  ///
  /// - Throws: The errors of `withReader`.
  func withSeparateReader<T>(_ use: (Reader) async throws -> T) async throws -> T {
    // This waits while the pool is paused.
    try await withReader { _ in state.withLock { $0.inUse += 1 } }
    defer { releaseSeparate() }
    return try await use(try await open())
  }

  /// Opens a connection, off the caller's actor.
  ///
  /// Opening a connection reads the file, and may wait for other processes.
  private func open() async throws -> Reader {
    try await withExecutor(threads) { [file] in
      let reader = try Reader(file)
      // A new connection must read the same file as the connections that are already open.
      if file.isReplaced {
        file.condition.requireReopening()
        throw PersistenceError.replaced(file)
      }
      return reader
    }
  }

  /// Waits until all running reads have ended.
  ///
  /// New reads wait until `resume`.
  ///
  /// - Parameter limit: The longest wait; `nil` for no limit.
  /// - Returns: Whether all reads have ended. If not, the pause is over, and new reads start.
  @discardableResult
  func pause(atMost limit: Duration? = nil) async -> Bool {
    let waiter = Waiter<Bool>()
    let isDrained = state.withLock { state in
      state.isPaused = true
      if state.inUse == 0 { return true }
      state.drained = waiter
      return false
    }
    if isDrained { return true }
    let timer = limit.map { limit in
      Task {
        try await Task.sleep(for: limit)
        endPause()
      }
    }
    defer { timer?.cancel() }
    return await waiter.value { _ in }
  }

  /// Ends a pause that still waits for running reads.
  private func endPause() {
    let (admitted, drained) = state.withLock { state in
      guard let drained = state.drained.take() else {
        return ([Admission](), Waiter<Bool>?.none)
      }
      state.isPaused = false
      return (state.admit(limit: limit), drained)
    }
    drained?.resume(returning: false)
    for (waiter, slot) in admitted { waiter.resume(returning: .success(slot)) }
  }

  /// Ends a pause.
  ///
  /// If there is a refusal, waiting and later reads throw it as their error.
  func resume(refusing refusal: PersistenceError? = nil) {
    let (admitted, refused) = state.withLock {
      state -> ([Admission], [Waiter<Result<Slot, any Error>>]) in
      state.isPaused = false
      state.refusal = refusal
      guard refusal != nil else { return (state.admit(limit: limit), []) }
      defer { state.waiters = [] }
      return ([], state.waiters)
    }
    for (waiter, slot) in admitted { waiter.resume(returning: .success(slot)) }
    guard let refusal else { return }
    for waiter in refused { waiter.resume(returning: .failure(refusal)) }
  }

  /// Waits for running reads, then closes all connections.
  func close() async {
    let waiters = state.withLock { state in
      state.isClosed = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: .failure(PersistenceError.closed)) }
    await pause()
    closeAll()
  }

  /// Closes all connections while the pool is paused.
  ///
  /// Later reads open new ones.
  func closeAll() {
    let readers = state.withLock { state in
      state.count -= state.idle.count
      defer { state.idle = [] }
      return state.idle
    }
    // Removing the last references closes the connections.
    _ = consume readers
  }

  private func acquire() async throws -> Slot {
    try Task.checkCancellation()
    let (slot, waiter) = try state.withLock { state -> (Slot?, Waiter<Result<Slot, any Error>>) in
      let waiter = Waiter<Result<Slot, any Error>>()
      let slot = try state.take(limit: limit)
      if slot == nil { state.waiters.append(waiter) }
      return (slot, waiter)
    }
    if let slot { return slot }
    return try await waiter.value { waiter in
      if state.withLock({ $0.waiters.remove(waiter) }) {
        waiter.resume(returning: .failure(CancellationError()))
      }
    }.get()
  }

  private func releaseSeparate() {
    let drained = state.withLock { state in
      state.inUse -= 1
      return state.isPaused && state.inUse == 0 ? state.drained.take() : nil
    }
    drained?.resume(returning: true)
  }

  /// Returns a connection to the pool; `nil` if it could not be opened.
  private func release(_ reader: Reader?) {
    let (admitted, drained) = state.withLock { state in
      state.inUse -= 1
      if let reader { state.idle.append(reader) } else { state.count -= 1 }
      let isDrained = state.isPaused && state.inUse == 0
      return (state.admit(limit: limit), isDrained ? state.drained.take() : nil)
    }
    drained?.resume(returning: true)
    for (waiter, slot) in admitted { waiter.resume(returning: .success(slot)) }
  }
}

extension ReaderPool.State {
  fileprivate mutating func take(limit: Int) throws -> ReaderPool.Slot? {
    if isClosed { throw PersistenceError.closed }
    if let refusal { throw refusal }
    guard !isPaused, waiters.isEmpty else { return nil }
    return takeFree(limit: limit)
  }

  /// Removes and returns the waiting callers that may read now.
  fileprivate mutating func admit(limit: Int) -> [ReaderPool.Admission] {
    var admitted: [ReaderPool.Admission] = []
    while !isPaused, !waiters.isEmpty, let slot = takeFree(limit: limit) {
      admitted.append((waiters.removeFirst(), slot))
    }
    return admitted
  }

  private mutating func takeFree(limit: Int) -> ReaderPool.Slot? {
    if let reader = idle.popLast() {
      inUse += 1
      return .reader(reader)
    }
    guard count < limit else { return nil }
    count += 1
    inUse += 1
    return .new
  }
}
