import CausewayDatabase
import Synchronization

/// The rows that the last commits of a service changed, for queries that are followed.
///
/// A query must not miss a change, and must not show half of a commit. So the rows of a commit are
/// added *before* the commit becomes visible. A query that takes a snapshot and then reads this log
/// finds all commits of the snapshot. It may also find a later commit, which does no harm: the
/// query reads the unchanged rows, and finds the commit again in its next run.
///
/// Commits of other programs are noticed by the writer's connection; see ``Writer``.
final class RowLog: Sendable {
  fileprivate struct Table {
    /// The table has the rows of all commits after this one.
    var start: Int
    var commits: [Int] = []
    var rows: [Int64] = []
    /// The columns whose update gives a row another identity; `nil` until a query has reported
    /// them.
    var keys: Set<String>?
  }

  private struct State {
    /// The number of the last commit that was added.
    var added = 0
    /// The number of the last commit that has ended.
    var ended = 0
    /// The last commit that could have changed everything.
    var everything = 0
    /// Whether the writer holds the lock of the file, and has seen all commits of other programs.
    var excludesOthers = false
    /// Whether a query was followed.
    ///
    /// A short query only makes marks, and does not count.
    var isUsed = false
    var tables: [String: Table] = [:]
  }

  fileprivate static let limit = 4_096
  private let state = Mutex(State())

  /// Whether a query was followed, so commits of other programs must be noticed.
  var isUsed: Bool { state.withLock(\.isUsed) }

  /// Whether no other program can have committed since the writer last checked.
  var excludesOthers: Bool { state.withLock(\.excludesOthers) }

  /// Returns the number of a commit that each later snapshot contains.
  ///
  /// From now on, the log records the rows of the table.
  func mark(_ table: String) -> Int {
    state.withLock { state in
      if state.tables[table] == nil { state.tables[table] = Table(start: state.added) }
      return state.ended
    }
  }

  /// Adds columns whose update gives a row another identity.
  func add(keys: Set<String>, of table: String) {
    state.withLock { state in
      state.isUsed = true
      let known = state.tables[table]?.keys ?? []
      state.tables[table]?.keys = known.union(keys)
    }
  }

  /// The rows that were changed after a commit; `nil` if some of them are not known.
  ///
  /// - Complexity: O(log commits + rows).
  func rows(of table: String, after commit: Int) -> Set<Int64>? {
    state.withLock { state in
      guard let table = state.tables[table], table.start <= commit, state.everything <= commit
      else { return nil }
      // Most calls need only the last few commits.
      let first = table.commits.lastIndex { $0 <= commit }.map { $0 + 1 } ?? 0
      return Set(table.rows[first...])
    }
  }

  /// Notes that the writer holds the lock of the file, and has seen all commits of other programs.
  func beginWriting() {
    state.withLock { $0.excludesOthers = true }
  }

  /// Adds the changes of a commit, which must follow at once.
  func add(_ changes: TableChanges, _ changed: ChangedRows) {
    guard changes != .none else { return }
    changed.flush()
    let isRecorded = changed.isRecording
    let (rows, unknown, updated) = (changed.rows, changed.unknown, changed.updated)
    state.withLock { state in
      state.added += 1
      guard case .tables(let tables) = changes else {
        state.everything = state.added
        return
      }
      // Most services have no live query of a single table.
      if state.tables.isEmpty { return }
      for name in tables {
        guard isRecorded, let keys = state.tables[name]?.keys, !unknown.contains(name),
          updated[name]?.isDisjoint(with: keys) ?? true
        else {
          state.tables[name]?.forget(before: state.added)
          continue
        }
        state.tables[name]?.add(rows[name] ?? [], state.added)
      }
    }
  }

  /// Notes that the commit that was added has ended, with or without success.
  func endWriting() {
    state.withLock { state in
      state.ended = state.added
      state.excludesOthers = false
    }
  }

  /// Adds a commit that has already ended, and that may have changed everything.
  func addEverything() {
    state.withLock { state in
      state.added += 1
      (state.everything, state.ended) = (state.added, state.added)
    }
  }
}

extension RowLog.Table {
  fileprivate mutating func forget(before commit: Int) {
    start = commit
    commits.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
  }

  fileprivate mutating func add(_ new: [Int64], _ commit: Int) {
    if rows.count + new.count > RowLog.limit, let last = commits.dropLast(rows.count / 2).last {
      // The older half is removed, with all rows of its last commit.
      let kept = commits.firstIndex { $0 > last } ?? commits.endIndex
      start = last
      commits.removeFirst(kept)
      rows.removeFirst(kept)
    }
    rows += new
    commits += repeatElement(commit, count: new.count)
  }
}
