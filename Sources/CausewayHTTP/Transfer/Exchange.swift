import CausewayData
import Foundation
import Synchronization

/// One request on its way: tells the state what happens and performs its commands.
///
/// The system's callbacks come on its own queue, the consumer waits in a task. The lock is held to
/// change the state and to append to the file, never while somebody else's code is called.
final class Exchange: Sendable {
  private struct Shared {
    var state: ExchangeState
    var file: DownloadFile?
    var cancelTask: (@Sendable () -> Void)?
    var resumeTask: (@Sendable () -> Void)?
    var watchdog: Task<Void, Never>?
    var waiting: (until: Milestone, waiter: Waiter<Void>)?
  }

  /// What a consumer waits for.
  enum Milestone: Sendable {
    case head
    case bytes
    case end
  }

  let redirects: RedirectRule
  private let progress: NetworkProgress.Observer?
  private let now: @Sendable () -> Duration
  private let shared: Mutex<Shared>

  init(
    sink: ExchangeState.Sink, file: DownloadFile? = nil, isHead: Bool = false,
    redirects: RedirectRule, progress: NetworkProgress.Observer? = nil,
    now: @escaping @Sendable () -> Duration
  ) {
    var state = ExchangeState(sink: sink, isHead: isHead)
    state.noteActivity(at: now())
    self.redirects = redirects
    self.progress = progress
    self.now = now
    shared = Mutex(Shared(state: state, file: file))
  }

  deinit {
    // Whoever gives up the exchange without waiting for its end gives up the connection too.
    cancel(NetworkError(.other, message: "given up"))
    takeFile()?.discard()
  }

  /// Gives the exchange what it may have to cancel; both are done at once if it has ended.
  ///
  /// - Parameters:
  ///   - cancelTask: Ends the request.
  ///   - resumeTask: Has the connection offer again what was not taken; `nil` if it cannot wait.
  ///   - watchdog: Ends the exchange when nothing moves.
  func attach(
    cancelTask: @escaping @Sendable () -> Void, resumeTask: (@Sendable () -> Void)? = nil,
    watchdog: Task<Void, Never>?
  ) {
    let hasEnded = shared.withLock { shared in
      if shared.state.outcome != nil { return true }
      shared.cancelTask = cancelTask
      shared.resumeTask = resumeTask
      shared.watchdog = watchdog
      return false
    }
    if hasEnded {
      watchdog?.cancel()
      cancelTask()
    }
  }

  /// When something last moved, `nil` after the end.
  ///
  /// While the connection waits for the consumer, the server is not to blame for standstill.
  var lastActivity: Duration? {
    let time = now()
    return shared.withLock { shared in
      guard shared.state.outcome == nil else { return nil }
      return shared.state.isPaused ? time : shared.state.lastActivity
    }
  }

  /// Whether it is over, so that nothing needs to be sent or received for it.
  var hasEnded: Bool { shared.withLock { $0.state.outcome != nil } }

  /// How many bytes of the body were taken from the connection.
  var receivedCount: Int { shared.withLock(\.state.receivedCount) }

  /// Whether the connection waits for the consumer.
  var isPaused: Bool { shared.withLock(\.state.isPaused) }

  // What the system reports.

  /// - Returns: `cancel` if nothing more is wanted.
  @discardableResult
  func didReceive(_ head: NetworkResponse, expecting length: Int?) -> ExchangeState.Command {
    update { $0.state.receive(head, expecting: length) }.command
  }

  /// Something moved that needs no telling, such as a redirect.
  func didMove() {
    update { _ in .proceed }
  }

  /// - Returns: How to go on: `pause` if the bytes have to be offered again, `cancel` if nothing
  ///   more is wanted.
  @discardableResult
  func didReceive(_ bytes: UnsafeRawBufferPointer) -> ExchangeState.Command {
    let (command, counts) = update { shared in
      let command = shared.state.receive(bytes, canPause: shared.resumeTask != nil)
      guard command == .write else { return command }
      do throws(NetworkError) {
        try shared.file?.append(bytes)
        return .proceed
      } catch {
        return shared.state.fail(error)
      }
    }
    if command == .proceed { progress?(.received(counts.received, of: counts.expected)) }
    return command
  }

  func didSend(_ count: Int, of total: Int?) {
    if update({ $0.state.outcome == nil ? .proceed : .cancel }).command == .proceed {
      progress?(.sent(count, of: total))
    }
  }

  func didComplete(_ failure: NetworkError?) {
    update { shared in
      shared.state.complete(failure)
      return .proceed
    }
  }

  // What the consumer does.

  /// Ends it with an error, unless it has ended.
  func cancel(_ error: NetworkError) {
    update { $0.state.fail(error) }
  }

  /// The answer, when all of it is there.
  ///
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  func wholeResponse() async throws -> NetworkResponse {
    // Not left to the deinitialiser: the transport may hold the exchange for a moment longer.
    defer { takeFile()?.discard() }
    try await wait(for: .end)
    let (outcome, response, isSuccess) = shared.withLock {
      ($0.state.outcome, $0.state.response, $0.state.isSuccess)
    }
    try outcome?.get()
    if isSuccess { try takeFile()?.commit() }
    guard let response else { throw NetworkError(.other, message: "there is no answer") }
    return response
  }

  private func takeFile() -> DownloadFile? {
    shared.withLock { $0.file.take() }
  }

  /// The status and the header fields of a stream, without what has arrived of its body.
  ///
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  func head() async throws -> NetworkResponse {
    try await wait(for: .head)
    let (response, outcome) = shared.withLock { ($0.state.response, $0.state.outcome) }
    if var response {
      if response.status / 100 == 2 { response.body = [] }
      return response
    }
    try outcome?.get()
    throw NetworkError(.connectionLost, message: "there is no answer")
  }

  /// What has arrived of a stream's body since the last call, `nil` at its end.
  ///
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  func nextBytes() async throws -> [UInt8]? {
    try await wait(for: .bytes)
    let time = now()
    let (bytes, outcome, resume) = shared.withLock { shared in
      let wasPaused = shared.state.isPaused
      // From now on the server has its full time again.
      if wasPaused { shared.state.noteActivity(at: time) }
      return (
        shared.state.takeBytes(), shared.state.outcome, wasPaused ? shared.resumeTask : nil
      )
    }
    resume?()
    if !bytes.isEmpty { return bytes }
    try outcome?.get()
    return nil
  }

  private func wait(for milestone: Milestone) async throws {
    let waiter = Waiter<Void>()
    let isThere = shared.withLock { shared in
      if Self.isReached(milestone, shared.state) { return true }
      shared.waiting = (milestone, waiter)
      return false
    }
    if isThere { waiter.resume() }
    // A cancelled task ends the exchange, also when the milestone is reached already. The end
    // resumes the waiter.
    await waiter.value { _ in cancel(NetworkError(.other, message: "cancelled")) }
    try Task.checkCancellation()
  }

  private static func isReached(_ milestone: Milestone, _ state: ExchangeState) -> Bool {
    if state.outcome != nil { return true }
    switch milestone {
    case .head: return state.response != nil
    case .bytes: return state.response?.body.isEmpty == false
    case .end: return false
    }
  }

  /// Changes the state and then does, without the lock, what follows from it.
  ///
  /// - Returns: How to go on, and how far the body has come.
  @discardableResult
  private func update(
    _ change: (inout Shared) -> ExchangeState.Command
  ) -> (command: ExchangeState.Command, counts: (received: Int, expected: Int?)) {
    let time = now()
    let (command, cancelTask, watchdog, waiter, counts) = shared.withLock { shared in
      shared.state.noteActivity(at: time)
      let command = change(&shared)
      let cancelTask = shared.cancelTask
      var watchdog: Task<Void, Never>?
      if shared.state.outcome != nil {
        watchdog = shared.watchdog
        shared.watchdog = nil
        shared.cancelTask = nil
        shared.resumeTask = nil
      }
      var waiter: Waiter<Void>?
      if let waiting = shared.waiting, Self.isReached(waiting.until, shared.state) {
        waiter = waiting.waiter
        shared.waiting = nil
      }
      let counts = (shared.state.receivedCount, shared.state.expectedCount)
      return (command, cancelTask, watchdog, waiter, counts)
    }
    if command == .cancel { cancelTask?() }
    watchdog?.cancel()
    waiter?.resume()
    return (command, counts)
  }
}
