import CausewaySystem

/// Keeps a write to a closed connection from ending the process.
package enum BrokenPipe {
  /// Blocks the signal SIGPIPE on the current thread.
  ///
  /// C libraries write to sockets without protection from the signal.
  package static func blockSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
