import CausewayDatabase
import Synchronization

/// Tells other processes that the change log has new entries, and trims the log.
///
/// `NOTIFY` holds a lock of the whole server during a commit. So the hints are not part of the
/// transactions. One hint stands for all commits within an interval.
final class ChangeAnnouncer: Sendable {
  private struct State {
    var isPending = false
    var task: Task<Void, Never>?
    var isClosed = false
    /// Earlier watermarks, oldest first.
    ///
    /// When a watermark is older than the retention, the entries below it are removed from the log.
    var marks: [(time: ContinuousClock.Instant, watermark: String)] = []
  }

  private let pool: ConnectionPool
  private let log: ChangeLog
  private let interval: Duration
  private let retention: Duration
  private let state = Mutex(State())

  init(_ pool: ConnectionPool, log: ChangeLog, interval: Duration, retention: Duration) {
    self.pool = pool
    self.log = log
    self.interval = interval
    self.retention = retention
  }

  /// Notes a commit; the hint follows at once, or at the end of the running interval.
  ///
  /// The task ends after the first interval without a commit, and the next commit starts a new one.
  func noteCommit() {
    state.withLock { state in
      state.isPending = true
      guard state.task == nil, !state.isClosed else { return }
      state.task = Task {
        while takePending() {
          await announce()
          try? await Task.sleep(for: interval)
        }
      }
    }
  }

  /// Sends the hint of the last commits, after the running interval.
  func close() async {
    let task = state.withLock { state in
      state.isClosed = true
      return state.task
    }
    await task?.value
  }

  /// Returns whether there were commits since the last call; if not, the task ends.
  private func takePending() -> Bool {
    state.withLock { state in
      defer { state.isPending = false }
      if !state.isPending { state.task = nil }
      return state.isPending
    }
  }

  /// Sends a hint and trims the log.
  ///
  /// Failures are ignored, because readers also read the log without hints.
  private func announce() async {
    try? await pool.withSession(until: .now + .seconds(5)) { session in
      _ = try await session.run("SELECT pg_notify($1, '')", [.text(ChangeLog.channel)])
      guard let past = try await mark(session) else { return }
      _ = try await session.run(log.trim, [.text(past)])
    }
  }

  /// Returns the watermark below which the log can be trimmed now; `nil` if there is none.
  private func mark(_ session: Session) async throws -> String? {
    let now = ContinuousClock.now
    let isDue = state.withLock { state in
      state.marks.last.map { $0.time + retention / 12 <= now } ?? true
    }
    guard isDue, let watermark = try await session.run(ChangeLog.watermark).first?.first ?? nil
    else { return nil }
    return state.withLock { state in
      state.marks.append((now, watermark))
      var past: String?
      while let first = state.marks.first, first.time + retention <= now {
        past = first.watermark
        state.marks.removeFirst()
      }
      return past
    }
  }
}
