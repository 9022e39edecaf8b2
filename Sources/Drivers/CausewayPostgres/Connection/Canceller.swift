import CPostgres
import CausewayBasics
import Foundation
import Synchronization

/// Asks the server to stop the running statement of one connection.
///
/// The request opens a connection of its own and waits for the server, so it runs on its own
/// thread. A request may arrive late and stop a later statement. For this reason a connection is
/// closed after a request and never used again.
///
/// If a request arrives while the server reads the next message of a batch, the server ignores the
/// request without a reply. Therefore the request is repeated four times within two seconds, or
/// until the statement has ended.
final class Canceller: Sendable {
  private struct State {
    /// The address of libpq's copy of the connection's host and key; 0 if there is none.
    var target: UInt
    var isRequested = false
    /// Whether the statement has ended, so a request could stop only a later statement.
    var hasEnded = false
  }

  private let state: Mutex<State>

  init(_ handle: OpaquePointer) {
    state = Mutex(State(target: UInt(bitPattern: PQgetCancel(handle))))
  }

  deinit {
    PQfreeCancel(OpaquePointer(bitPattern: state.withLock(\.target)))
  }

  var isRequested: Bool { state.withLock(\.isRequested) }

  /// Notes that the statement of the requests has ended, so no further request is sent.
  func end() {
    state.withLock { $0.hasEnded = $0.isRequested }
  }

  /// Sends the requests from another thread; a second call does nothing.
  func request() {
    let isFirst = state.withLock { state in
      defer { state.isRequested = true }
      return !state.isRequested
    }
    guard isFirst else { return }
    Thread { [self] in
      // PQcancel does not protect its write from SIGPIPE. If the server closes the connection, this
      // signal would end the process.
      BrokenPipe.blockSignal()
      for pause in [0.05, 0.15, 0.45, 1.35, 0] {
        // The thread retains this object, so the target stays valid. Holding the lock here would
        // make `isRequested` wait for the server.
        let (target, hasEnded) = state.withLock { ($0.target, $0.hasEnded) }
        if hasEnded { return }
        var message = [CChar](repeating: 0, count: 256)
        _ = PQcancel(OpaquePointer(bitPattern: target), &message, Int32(message.count))
        Thread.sleep(forTimeInterval: pause)
      }
      withExtendedLifetime(self) {}
    }.start()
  }
}
