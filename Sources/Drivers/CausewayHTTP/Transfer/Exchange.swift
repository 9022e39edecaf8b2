import CausewayBasics
import CausewayNetwork
import Foundation
import Synchronization

/// One running request: passes events to ``ExchangeState`` and performs its commands.
///
/// Callbacks of the system run on the system's queue, and the consumer waits in a task. The lock
/// protects changes of the state and writes to the file. It is not held while callbacks and
/// continuations run.
final class Exchange: Sendable {
  private struct Shared {
    var state: ExchangeState
    var cancelTask: (@Sendable () -> Void)?
    var resumeTask: (@Sendable () -> Void)?
    var watchdog: Task<Void, Never>?
    var waiting: (until: Milestone, waiter: Waiter<Void>)?
    /// The longest time without activity, if it differs from the limit of the request.
    var silenceLimit: Duration?
  }

  /// The event that the consumer waits for.
  enum Milestone: Sendable {
    case head
    case bytes
    case end
  }

  let redirects: RedirectRule
  private let progress: NetworkProgress.Observer?
  private let now: @Sendable () -> Duration
  private let download: Download?
  private let shared: Mutex<Shared>

  init(
    sink: ExchangeState.Sink, download: Download? = nil, isHead: Bool = false,
    redirects: RedirectRule, progress: NetworkProgress.Observer? = nil,
    now: @escaping @Sendable () -> Duration
  ) {
    var state = ExchangeState(sink: sink, isHead: isHead)
    state.noteActivity(at: now())
    self.redirects = redirects
    self.progress = progress
    self.now = now
    self.download = download
    shared = Mutex(Shared(state: state))
  }

  deinit {
    // If a consumer releases the exchange before its end, the connection is closed too.
    cancel(NetworkError(.other, message: "the exchange was released"))
  }

  /// Stores the request and the watchdog, which are cancelled at the end of the exchange.
  ///
  /// If the exchange has already ended, both are cancelled at once.
  ///
  /// - Parameters:
  ///   - cancelTask: Cancels the request.
  ///   - resumeTask: Makes the connection deliver the refused bytes again; `nil` if the connection
  ///     cannot pause.
  ///   - watchdog: Ends the exchange after a timeout.
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

  /// The time of the last activity; `nil` after the end.
  ///
  /// While the connection waits for the consumer, this is the current time, so a slow consumer
  /// causes no timeout.
  var lastActivity: Duration? {
    let time = now()
    return shared.withLock { shared in
      guard shared.state.outcome == nil else { return nil }
      return shared.state.isPaused ? time : shared.state.lastActivity
    }
  }

  /// The longest time without activity; `nil` if the limit of the request applies.
  var silenceLimit: Duration? { shared.withLock(\.silenceLimit) }

  /// Replaces the limit for the time without activity.
  ///
  /// A shorter limit applies only after the watchdog has waited for the old limit.
  func setSilenceLimit(_ limit: Duration) {
    shared.withLock { $0.silenceLimit = limit }
  }

  /// Whether all header fields of the response have arrived.
  var hasHead: Bool { shared.withLock { $0.state.response != nil } }

  /// Whether the exchange has ended.
  var hasEnded: Bool { shared.withLock { $0.state.outcome != nil } }

  /// The number of bytes of the body that the exchange has accepted.
  var receivedCount: Int { shared.withLock(\.state.receivedCount) }

  /// Whether the connection is paused until the consumer reads.
  var isPaused: Bool { shared.withLock(\.state.isPaused) }

  // Events of the system

  /// - Returns: `cancel` if the exchange needs no more data.
  @discardableResult
  func didReceive(_ head: NetworkResponse, expecting length: Int?) -> ExchangeState.Command {
    update { shared in
      guard let download, shared.state.outcome == nil, (200...299).contains(head.status) else {
        return shared.state.receive(head, expecting: length)
      }
      do throws(NetworkError) {
        return shared.state.receive(head, expecting: length, from: try download.begin(head))
      } catch {
        return shared.state.fail(error)
      }
    }.command
  }

  /// Notes activity without data, such as a redirect.
  func didMove() {
    update { _ in .proceed }
  }

  /// - Returns: `pause` if the transport must deliver the bytes again later; `cancel` if the
  ///   exchange needs no more data.
  @discardableResult
  func didReceive(_ bytes: UnsafeRawBufferPointer) -> ExchangeState.Command {
    let (command, counts) = update { shared in
      let command = shared.state.receive(bytes, canPause: shared.resumeTask != nil)
      guard command == .write else { return command }
      do throws(NetworkError) {
        try download?.append(bytes)
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

  // Calls of the consumer

  /// Ends the exchange with an error, unless it has ended.
  func cancel(_ error: NetworkError) {
    update { $0.state.fail(error) }
  }

  /// Waits for the complete response.
  ///
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  func wholeResponse() async throws -> NetworkResponse {
    try await wait(for: .end)
    let (outcome, response, isSuccess, offset) = shared.withLock {
      ($0.state.outcome, $0.state.response, $0.state.isSuccess, $0.state.offset)
    }
    try outcome?.get()
    if isSuccess { try download?.commit() }
    guard var response else { throw NetworkError(.other, message: "there is no answer") }
    if offset > 0 {
      // The file has the whole content.
      response.status = 200
      response.headers["content-range"] = nil
      response.headers["content-length"] = download.map { "\($0.length)" }
    }
    return response
  }

  /// Waits for the status and the header fields of a stream, and returns them without the body.
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

  /// Waits for bytes of a stream's body, and returns all bytes that have arrived; `nil` at the end.
  ///
  /// - Throws: `NetworkError`, or `CancellationError` when the task is cancelled.
  func nextBytes() async throws -> [UInt8]? {
    try await wait(for: .bytes)
    let time = now()
    let (bytes, outcome, resume) = shared.withLock { shared in
      let wasPaused = shared.state.isPaused
      // The timeout of the server starts again here.
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
    // If the task is cancelled, the exchange ends, even if the milestone is already reached. The
    // end resumes the waiter.
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

  /// Changes the state under the lock, and then performs the resulting actions without the lock.
  ///
  /// - Returns: The command for the transport, and the received and expected numbers of bytes.
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
      let offset = shared.state.offset
      let counts = (
        shared.state.receivedCount + offset, shared.state.expectedCount.map { $0 + offset }
      )
      return (command, cancelTask, watchdog, waiter, counts)
    }
    if command == .cancel { cancelTask?() }
    watchdog?.cancel()
    waiter?.resume()
    return (command, counts)
  }
}
