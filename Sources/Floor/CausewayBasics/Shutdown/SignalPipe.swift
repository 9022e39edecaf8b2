import CausewaySystem
import Dispatch
import Synchronization

/// Carries signals from their handler into asynchronous sequences.
///
/// The handler writes a byte into a pipe. `write` is one of the few functions that a signal handler
/// may call, and it works on any thread. The alternative, `sigwait`, requires that all threads of
/// the process block the signals, including the threads of C libraries. A dispatch source reads the
/// other end, because a reading thread would never end.
final class SignalPipe: Sendable {
  static let shared = SignalPipe()

  private struct State {
    var continuations: [UInt64: AsyncStream<ShutdownSignal>.Continuation] = [:]
    var nextID: UInt64 = 0
    var source: (any DispatchSourceRead)?
  }

  /// The end that the handler writes to, or -1 before the pipe exists.
  fileprivate static let writingEnd = Atomic<Int32>(-1)

  private let state = Mutex(State())

  func add(_ continuation: AsyncStream<ShutdownSignal>.Continuation) {
    let id = state.withLock { state in
      state.nextID += 1
      state.continuations[state.nextID] = continuation
      if state.source == nil { state.source = open() }
      return state.nextID
    }
    continuation.onTermination = { [self] _ in
      state.withLock { $0.continuations[id] = nil }
    }
    for signal in ShutdownSignal.allCases { arm(signal) }
  }

  private func open() -> (any DispatchSourceRead)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let readingEnd = ends[0]
    // This first access initialises the atomic before a handler can read it.
    Self.writingEnd.store(ends[1], ordering: .releasing)
    let source = DispatchSource.makeReadSource(fileDescriptor: readingEnd)
    source.setEventHandler { [self] in
      var byte: UInt8 = 0
      while read(readingEnd, &byte, 1) == 1 {
        guard let signal = ShutdownSignal(rawValue: Int32(byte)) else { continue }
        let continuations = state.withLock { Array($0.continuations.values) }
        for continuation in continuations { continuation.yield(signal) }
      }
    }
    source.activate()
    return source
  }

  private func arm(_ signal: ShutdownSignal) {
    var action = sigaction()
    // The field is a macro in C. The name behind it differs between the C libraries.
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = signalCallback
    #elseif canImport(Musl)
      action.__sa_handler.sa_handler = signalCallback
    #else
      action.__sigaction_handler.sa_handler = signalCallback
    #endif
    // The types of these constants differ too. On some platforms, SA_RESETHAND exceeds Int32.max.
    action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND) | Int32(SA_RESTART)
    sigaction(signal.rawValue, &action, nil)
  }
}

/// Runs inside a signal handler: it may only load the atomic and `write`, and it restores `errno`.
private nonisolated func signalCallback(_ signal: Int32) {
  let saved = errno
  var byte = UInt8(truncatingIfNeeded: signal)
  _ = write(SignalPipe.writingEnd.load(ordering: .acquiring), &byte, 1)
  errno = saved
}
