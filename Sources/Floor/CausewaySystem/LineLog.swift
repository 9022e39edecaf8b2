import Synchronization

/// Writes problems as single lines, with a limit for their length and their rate.
///
/// Unknown clients can cause problems, and the descriptions contain text from these clients.
/// Without limits, a client could fill the disk, or hide the lines of other problems.
package final class LineLog: Sendable {
  private struct State {
    var bucket: TokenBucket
    var suppressed = 0
  }

  /// The largest number of bytes of a line's text.
  package static let longest = 2_000
  /// The largest number of lines in a burst after a pause.
  package static let burst = 100
  /// The largest average number of lines per second.
  package static let rate = 5.0

  private let name: @Sendable () -> String
  private let now: @Sendable () -> ContinuousClock.Instant
  private let write: @Sendable (String) -> Void
  private let state: Mutex<State>

  /// - Parameters:
  ///   - name: The beginning of each line, evaluated for each line.
  ///   - now: Returns the current time.
  ///   - write: Receives each line, which ends with a line feed.
  package init(
    _ name: @autoclosure @escaping @Sendable () -> String,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    to write: @escaping @Sendable (String) -> Void = { StandardError.print($0) }
  ) {
    self.name = name
    self.now = now
    self.write = write
    state = Mutex(
      State(bucket: TokenBucket(rate: Self.rate, burst: Double(Self.burst), now: now())))
  }

  /// Writes a line, unless there were too many lines.
  ///
  /// The number of suppressed lines is written before the next line.
  ///
  /// - Parameter text: The text. It is not evaluated if the line is not written.
  package func write(_ text: @autoclosure () -> String) {
    let now = now()
    let suppressed: Int? = state.withLock { state in
      guard state.bucket.take(now: now) == nil else {
        state.suppressed += 1
        return nil
      }
      defer { state.suppressed = 0 }
      return state.suppressed
    }
    guard let suppressed else { return }
    let name = name()
    var line = "\(name): \(PrintableText.escaped(text(), limit: Self.longest))\n"
    if suppressed > 0 { line = "\(name): \(suppressed) more suppressed\n" + line }
    write(line)
  }
}
