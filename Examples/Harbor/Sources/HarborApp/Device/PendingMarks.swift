import HarborDomain

/// The marks of changes that have waited for the server for half a second.
///
/// A connected device sends a change at once. Without the delay, each change would reach all pages
/// twice: with the mark, and without it after the server's answer. The cost of a new version
/// depends only on the activities that have changed.
actor PendingMarks {
  private static let delay = Duration.milliseconds(500)

  private let receive: @Sendable (Activities) -> Void
  /// The board as it is; `nil` before the first read.
  private var newest: Activities?
  /// The board as the pages show it.
  private var shown: Activities = []
  /// The numbers of the activities whose mark is not shown yet.
  private var unmarked: [Activity.ID: Int] = [:]
  private var last = 0

  private init(_ receive: @escaping @Sendable (Activities) -> Void) { self.receive = receive }

  /// Follows a board.
  ///
  /// A slow consumer gets only the newest board. Marks of the first board are shown at once, because they
  /// have lasted already.
  static func stream(
    of board: any ActivityRepositoryProtocol, clock: any Clock<Duration>
  ) -> AsyncThrowingStream<Activities, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: Activities.self, bufferingPolicy: .bufferingNewest(1))
    let marks = PendingMarks { continuation.yield($0) }
    let following = Task {
      do {
        try await withThrowingDiscardingTaskGroup { group in
          for try await activities in board.activities() {
            guard let number = await marks.show(activities) else { continue }
            group.addTask {
              if (try? await clock.sleep(for: delay)) != nil { await marks.show(upTo: number) }
            }
          }
          group.cancelAll()
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in following.cancel() }
    return stream
  }

  /// Shows a new version, and returns the number of the new marks if there are any.
  private func show(_ board: Activities) -> Int? {
    guard let newest else {
      (self.newest, shown) = (board, board)
      receive(board)
      return nil
    }
    let changes = board.changes(since: newest)
    self.newest = board
    var hasNew = false
    for change in changes {
      guard let after = change.after, after.isPending else {
        if let id = (change.after ?? change.before)?.id { unmarked[id] = nil }
        continue
      }
      if unmarked[after.id] == nil, change.before?.isPending != true {
        unmarked[after.id] = last + 1
        hasNew = true
      }
    }
    if hasNew { last += 1 }
    show(changes)
    return hasNew ? last : nil
  }

  /// Shows the marks that have lasted long enough.
  private func show(upTo number: Int) {
    let ids = unmarked.filter { $0.value <= number }.keys
    for id in ids { unmarked[id] = nil }
    let changed = ids.compactMap { newest?[id: $0] }
    show(changed.map { Activities.Change(before: $0, after: $0) })
  }

  /// Shows activities as they are now, without the marks that are not shown yet.
  private func show(_ changes: [Activities.Change]) {
    var (old, new): ([Activity], [Activity]) = ([], [])
    for change in changes {
      var (before, after) = (change.before, change.after)
      let last = (before ?? after).flatMap { shown[id: $0.id] }
      before?.isPending = last?.isPending ?? false
      guard Self.areIdentical(before, last) else { return showAll() }
      if let id = after?.id, unmarked[id] != nil { after?.isPending = false }
      if Self.areIdentical(last, after) { continue }
      if let last { old.append(last) }
      if let after { new.append(after) }
    }
    if old.isEmpty, new.isEmpty { return }
    shown.replace(old, by: new)
    receive(shown)
  }

  private static func areIdentical(_ left: Activity?, _ right: Activity?) -> Bool {
    if let left, let right { left.isIdentical(to: right) } else { left == nil && right == nil }
  }

  /// Shows a board that has two ids which are equal for Swift.
  ///
  /// Complexity: O(*n*).
  private func showAll() {
    guard let newest else { return }
    shown.become(
      newest.map { activity in
        var activity = activity
        if unmarked[activity.id] != nil { activity.isPending = false }
        return activity
      })
    receive(shown)
  }
}
