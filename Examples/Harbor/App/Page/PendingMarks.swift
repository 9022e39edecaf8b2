import HarborDomain

/// Marks activities with pending changes only after the changes have waited for a while.
///
/// A connected device sends a change at once. Without the delay, each change would reach all pages
/// twice: with the mark, and without it after the server's answer.
actor PendingMarks {
  /// The board as the device has it.
  private var newest: [Activity] = []
  /// The board as the pages show it; `nil` before the first read.
  private var shown: [Activity]?
  /// The numbers of the changes that have no mark yet, by activity.
  private var unmarked: [Activity.ID: Int] = [:]
  private var marked: Set<Activity.ID> = []
  private var last = 0
  private let continuation: AsyncThrowingStream<[Activity], any Error>.Continuation

  private init(_ continuation: AsyncThrowingStream<[Activity], any Error>.Continuation) {
    self.continuation = continuation
  }

  /// The time until a pending change gets its mark.
  static let delay = Duration.milliseconds(500)

  /// Follows a board.
  ///
  /// A slow consumer gets only the newest board.
  static func stream(
    of board: any ActivityRepositoryProtocol, clock: any Clock<Duration>
  ) -> AsyncThrowingStream<[Activity], any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: [Activity].self, bufferingPolicy: .bufferingNewest(1))
    let marks = PendingMarks(continuation)
    let following = Task {
      do {
        try await withThrowingDiscardingTaskGroup { group in
          for try await activities in board.activities() {
            guard let number = await marks.receive(activities) else { continue }
            group.addTask {
              if (try? await clock.sleep(for: delay)) != nil { await marks.mark(upTo: number) }
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

  /// Shows a new board, and returns the number of the new pending changes if there are any.
  ///
  /// Changes that were pending before the first read have waited already.
  private func receive(_ activities: [Activity]) -> Int? {
    newest = activities
    let pending = Set(activities.lazy.filter(\.isPending).map(\.id))
    unmarked = unmarked.filter { pending.contains($0.key) }
    marked.formIntersection(pending)
    if shown == nil { marked = pending }
    let new = pending.filter { unmarked[$0] == nil && !marked.contains($0) }
    if !new.isEmpty { last += 1 }
    for id in new { unmarked[id] = last }
    show()
    return new.isEmpty ? nil : last
  }

  /// Marks the changes that have waited long enough.
  private func mark(upTo number: Int) {
    for id in unmarked.filter({ $0.value <= number }).keys {
      unmarked[id] = nil
      marked.insert(id)
    }
    show()
  }

  /// Yields the board if it differs from the board that the pages show.
  private func show() {
    var board = newest
    if !unmarked.isEmpty {
      for index in board.indices where unmarked[board[index].id] != nil {
        board[index].isPending = false
      }
    }
    if let shown, shown.elementsEqual(board, by: { $0.isIdentical(to: $1) }) { return }
    shown = board
    continuation.yield(board)
  }
}
