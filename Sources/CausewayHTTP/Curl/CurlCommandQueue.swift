#if os(Linux)
  import CCurl
  import CausewayData
  import Foundation
  import Synchronization

  /// What the thread of a transport is asked to do, from any thread.
  ///
  /// The lock is never held while a request is worked on, so nobody waits for the network.
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
      /// Offers the bytes again that a consumer did not take.
      case resume(Int)
    }

    private struct State {
      var commands: [Command] = []
      /// The number of requests that have not ended.
      var count = 0
      var nextID = 0
      var isClosed = false
      var hasThread = false
      /// The address of what the thread waits with; 0 before and after.
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

    /// The id of a request that will be started; `nil` after closing.
    func newRequest() -> Int? {
      state.withLock { state in
        if state.isClosed { return nil }
        state.count += 1
        state.nextID += 1
        return state.nextID
      }
    }

    /// Asks for something; the first request starts the thread.
    func add(_ command: Command) {
      let (isRefused, startsThread) = state.withLock { state in
        // The thread ends, or has ended, and so has everything that it worked on.
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

    /// Has the thread end everything and itself.
    func close() {
      state.withLock { state in
        state.isClosed = true
        Self.wake(state)
      }
    }

    /// The service was closed between the making of a request and its start.
    private func refuse(_ job: Job) {
      noteEnd()
      job.exchange?.didComplete(NetworkError(.closed, message: "the service was closed"))
    }

    // What the thread calls.

    /// What was asked for since the last call, and whether that is all.
    func take() -> (commands: [Command], isClosed: Bool) {
      state.withLock { state in
        defer { state.commands = [] }
        return (state.commands, state.isClosed)
      }
    }

    /// A request has ended.
    func noteEnd() {
      state.withLock { $0.count -= 1 }
    }

    /// How to wake the thread from now on; `nil` when it no longer waits.
    func setMulti(_ multi: UnsafeMutableRawPointer?) {
      let address = UInt(bitPattern: multi)
      state.withLock { $0.multi = address }
    }

    /// Only under the lock: the thread takes the address away, under the lock, before it is freed.
    private static func wake(_ state: State) {
      guard let multi = UnsafeMutableRawPointer(bitPattern: state.multi) else { return }
      curl_multi_wakeup(multi)
    }
  }
#endif
