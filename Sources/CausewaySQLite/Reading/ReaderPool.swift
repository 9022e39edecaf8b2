import CausewayData
import Synchronization

/// A few connections that read beside each other and beside the writer.
///
/// Whoever finds all of them in use is suspended, first come, first served.
final class ReaderPool: Sendable {
  fileprivate struct State {
    var idle: [Reader] = []
    /// Readers that exist or are being opened.
    var count = 0
    var inUse = 0
    var isPaused = false
    var isClosed = false
    /// Why nobody can read at present.
    var refusal: PersistenceError?
    var waiters: [Waiter] = []
    /// Who waits for the last reader in use.
    var drained: CheckedContinuation<Void, Never>?
    var nextID = 0
  }

  fileprivate struct Waiter {
    let id: Int
    let continuation: CheckedContinuation<Slot, any Error>
  }

  /// The right to read, with a connection if there is one already.
  fileprivate enum Slot: Sendable {
    case reader(Reader)
    case new
  }

  private let file: StoreFile
  private let limit: Int
  private let state = Mutex(State())

  init(_ file: StoreFile, limit: Int) {
    self.file = file
    self.limit = max(1, limit)
  }

  /// How many wait for a reader.
  var waitingCount: Int { state.withLock { $0.waiters.count } }

  /// Lends a reader to a closure.
  ///
  /// - Throws: What the closure throws, `CancellationError` while waiting, or `closed`.
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

  /// Opening reads the file and may wait for other processes, so not on the caller's actor.
  @concurrent private func open() async throws -> Reader { try Reader(file) }

  /// Waits until nobody reads; new readers wait until `resume`.
  func pause() async {
    await withCheckedContinuation { continuation in
      let isDrained = state.withLock { state in
        state.isPaused = true
        if state.inUse == 0 { return true }
        state.drained = continuation
        return false
      }
      if isDrained { continuation.resume() }
    }
  }

  /// Lets readers in again, or tells them why there is nothing to read.
  func resume(refusing refusal: PersistenceError? = nil) {
    let (admitted, refused) = state.withLock { state in
      state.isPaused = false
      state.refusal = refusal
      guard refusal != nil else { return (state.admit(limit: limit), [Waiter]()) }
      defer { state.waiters = [] }
      return ([], state.waiters)
    }
    for (waiter, slot) in admitted { waiter.continuation.resume(returning: slot) }
    guard let refusal else { return }
    for waiter in refused { waiter.continuation.resume(throwing: refusal) }
  }

  /// Waits for running reads, then closes all connections.
  func close() async {
    let waiters = state.withLock { state in
      state.isClosed = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume(throwing: PersistenceError.closed) }
    await pause()
    closeAll()
  }

  /// Closes all connections while the pool is paused; new ones are opened when they are needed.
  func closeAll() {
    let readers = state.withLock { state in
      state.count -= state.idle.count
      defer { state.idle = [] }
      return state.idle
    }
    // Their connections close when the last reference goes, here.
    _ = consume readers
  }

  private func acquire() async throws -> Slot {
    try Task.checkCancellation()
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    if let slot = try state.withLock({ try $0.take(limit: limit) }) { return slot }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<Slot, any Error>? = state.withLock { state in
          // The cancellation handler may have run before there was anything to resume.
          if Task.isCancelled { return .failure(CancellationError()) }
          do {
            if let slot = try state.take(limit: limit) { return .success(slot) }
          } catch {
            return .failure(error)
          }
          state.waiters.append(Waiter(id: id, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let waiter: Waiter? = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Takes a reader back; `nil` if it could not be opened.
  private func release(_ reader: Reader?) {
    let (admitted, drained) = state.withLock { state in
      state.inUse -= 1
      if let reader { state.idle.append(reader) } else { state.count -= 1 }
      let isDrained = state.isPaused && state.inUse == 0
      return (state.admit(limit: limit), isDrained ? state.drained.take() : nil)
    }
    drained?.resume()
    for (waiter, slot) in admitted { waiter.continuation.resume(returning: slot) }
  }
}

extension ReaderPool.State {
  fileprivate mutating func take(limit: Int) throws -> ReaderPool.Slot? {
    if isClosed { throw PersistenceError.closed }
    if let refusal { throw refusal }
    guard !isPaused, waiters.isEmpty else { return nil }
    return takeFree(limit: limit)
  }

  /// The waiters whose turn it is now.
  fileprivate mutating func admit(limit: Int) -> [(ReaderPool.Waiter, ReaderPool.Slot)] {
    var admitted: [(ReaderPool.Waiter, ReaderPool.Slot)] = []
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
