import Dispatch
import Foundation
import Synchronization

/// Carries signals from their handler into asynchronous sequences.
///
/// The handler writes a byte into a pipe, which is about all that a handler may do. That works
/// whichever thread the system picks, while waiting for blocked signals would need every thread of
/// the process, including those of the runtime and of C libraries, to block them. The other end
/// is a dispatch source: reading it on a thread of its own would keep that thread forever.
final class SignalPipe: Sendable {
  static let shared = SignalPipe()

  private struct State {
    var continuations: [UUID: AsyncStream<ShutdownSignal>.Continuation] = [:]
    var source: (any DispatchSourceRead)?
  }

  /// The end that the handler writes to; -1 before there is a pipe.
  fileprivate static let writingEnd = Atomic<Int32>(-1)

  private let state = Mutex(State())

  func add(_ continuation: AsyncStream<ShutdownSignal>.Continuation) {
    let id = UUID()
    continuation.onTermination = { [self] _ in
      state.withLock { $0.continuations[id] = nil }
    }
    state.withLock { state in
      state.continuations[id] = continuation
      if state.source == nil { state.source = open() }
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
    // Also makes sure that the handler finds the atomic initialised.
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
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = signalCallback
      action.sa_flags = Int32(SA_RESETHAND) | Int32(SA_RESTART)
    #else
      action.__sigaction_handler.sa_handler = signalCallback
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | Int32(SA_RESTART)
    #endif
    sigaction(signal.rawValue, &action, nil)
  }
}

/// Runs inside a signal handler: only an atomic load and `write`, and `errno` as it was.
private nonisolated func signalCallback(_ signal: Int32) {
  let saved = errno
  var byte = UInt8(truncatingIfNeeded: signal)
  _ = write(SignalPipe.writingEnd.load(ordering: .acquiring), &byte, 1)
  errno = saved
}
