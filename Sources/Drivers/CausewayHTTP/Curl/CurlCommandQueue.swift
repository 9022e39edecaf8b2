#if canImport(CCurl)
  import CCurl
  import CausewayNetwork
  import Foundation
  import Synchronization

  /// The commands for the thread of a transport.
  ///
  /// Any thread can add commands.
  ///
  /// The lock is not held while the thread works on a request, so adding a command never waits for
  /// the network.
  final class CurlCommandQueue: Sendable {
    /// A request to start.
    struct Job: Sendable {
      let id: Int
      let request: WireRequest
      weak var exchange: Exchange?
    }

    enum Command: Sendable {
      case start(Job)
      /// Ends a request whose exchange has ended.
      case cancel(Int)
      /// Repeats the delivery of bytes that a consumer refused.
      case resume(Int)
    }

    private struct State {
      var commands: [Command] = []
      /// The number of requests that have not ended.
      var count = 0
      var nextID = 0
      var isClosed = false
      var hasThread = false
      /// The handle on which the thread waits; 0 before the thread starts and after it ends.
      var multi: UInt = 0
    }

    let connectionsPerHost: Int
    let authorities: String?
    private let state = Mutex(State())

    init(connectionsPerHost: Int, authorities: String?) {
      self.connectionsPerHost = connectionsPerHost
      self.authorities = authorities
    }

    var count: Int { state.withLock(\.count) }

    /// Whether the thread was started.
    var hasThread: Bool { state.withLock(\.hasThread) }

    /// Returns the id for a new request; `nil` after closing.
    func newRequest() -> Int? {
      state.withLock { state in
        if state.isClosed { return nil }
        state.count += 1
        state.nextID += 1
        return state.nextID
      }
    }

    /// Adds a command.
    ///
    /// The first request starts the thread.
    func add(_ command: Command) {
      let (isRefused, startsThread) = state.withLock { state in
        // When the queue is closed, the thread ends all its requests.
        if state.isClosed { return (true, false) }
        state.commands.append(command)
        Self.wake(state)
        if state.hasThread { return (false, false) }
        guard case .start = command else { return (false, false) }
        state.hasThread = true
        return (false, true)
      }
      if isRefused, case .start(let job) = command { refuse(job) }
      if startsThread {
        let thread = Thread { [self] in CurlLoop.run(for: self) }
        thread.name = "causeway.http"
        thread.start()
      }
    }

    /// Makes the thread end all requests, and then end itself.
    func close() {
      state.withLock { state in
        state.isClosed = true
        Self.wake(state)
      }
    }

    /// Fails a request that was created before the service was closed, and started after that.
    private func refuse(_ job: Job) {
      noteEnd()
      job.exchange?.didComplete(NetworkError(.closed, message: "the service was closed"))
    }

    // Functions for the transport's thread

    /// Returns the commands since the last call, and whether the queue is closed.
    func take() -> (commands: [Command], isClosed: Bool) {
      state.withLock { state in
        defer { state.commands = [] }
        return (state.commands, state.isClosed)
      }
    }

    /// Notes that a request has ended.
    func noteEnd() {
      state.withLock { $0.count -= 1 }
    }

    /// Sets the handle that wakes the thread; `nil` when the thread no longer waits.
    func setMulti(_ multi: UnsafeMutableRawPointer?) {
      let address = UInt(bitPattern: multi)
      state.withLock { $0.multi = address }
    }

    /// The caller holds the lock.
    ///
    /// Before the thread frees the handle, it sets `multi` to 0 under the lock.
    private static func wake(_ state: State) {
      guard let multi = UnsafeMutableRawPointer(bitPattern: state.multi) else { return }
      curl_multi_wakeup(multi)
    }
  }
#endif
