/// Shows a mark of rows, such as "not sent yet", only after it has lasted for a while.
///
/// A connected device sends a change at once. Without the delay, each change would reach all pages
/// twice: with the mark, and without it after the server's answer.
public actor DelayedMarks<Row: Identifiable & Sendable> where Row.ID: Sendable {
  private let mark: @Sendable (inout Row, _ isMarked: Bool?) -> Bool
  private let areEqual: @Sendable (Row, Row) -> Bool
  private let continuation: AsyncThrowingStream<[Row], any Error>.Continuation
  /// The rows as they are.
  private var newest: [Row] = []
  /// The rows as the pages show them; `nil` before the first read.
  private var shown: [Row]?
  /// The numbers of the rows whose mark is not shown yet.
  private var unmarked: [Row.ID: Int] = [:]
  private var marked: Set<Row.ID> = []
  private var last = 0

  private init(
    _ mark: @escaping @Sendable (inout Row, Bool?) -> Bool,
    _ areEqual: @escaping @Sendable (Row, Row) -> Bool,
    _ continuation: AsyncThrowingStream<[Row], any Error>.Continuation
  ) {
    (self.mark, self.areEqual, self.continuation) = (mark, areEqual, continuation)
  }

  /// Follows a sequence of rows.
  ///
  /// A slow consumer gets only the newest rows. Marks of the first rows are shown at once, because
  /// they have lasted already.
  ///
  /// - Parameters:
  ///   - rows: The rows, which have different ids.
  ///   - delay: The time until a mark is shown.
  ///   - clock: Measures the delay.
  ///   - areEqual: Whether two versions of a row look the same on the pages.
  ///   - mark: Sets the mark of a row if it gets a value, and returns the mark.
  public static func stream<Rows: AsyncSequence & Sendable>(
    of rows: Rows, after delay: Duration, clock: any Clock<Duration>,
    equal areEqual: @escaping @Sendable (Row, Row) -> Bool,
    mark: @escaping @Sendable (inout Row, _ isMarked: Bool?) -> Bool
  ) -> AsyncThrowingStream<[Row], any Error> where Rows.Element == [Row] {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: [Row].self, bufferingPolicy: .bufferingNewest(1))
    let marks = DelayedMarks(mark, areEqual, continuation)
    let following = Task {
      do {
        try await withThrowingDiscardingTaskGroup { group in
          for try await new in rows {
            guard let number = await marks.receive(new) else { continue }
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

  /// Shows new rows, and returns the number of the new marks if there are any.
  private func receive(_ rows: [Row]) -> Int? {
    newest = rows
    var current: Set<Row.ID> = []
    for var row in rows where mark(&row, nil) { current.insert(row.id) }
    unmarked = unmarked.filter { current.contains($0.key) }
    marked.formIntersection(current)
    if shown == nil { marked = current }
    let new = current.filter { unmarked[$0] == nil && !marked.contains($0) }
    if !new.isEmpty { last += 1 }
    for id in new { unmarked[id] = last }
    show()
    return new.isEmpty ? nil : last
  }

  /// Shows the marks that have lasted long enough.
  private func show(upTo number: Int) {
    for id in unmarked.filter({ $0.value <= number }).keys {
      unmarked[id] = nil
      marked.insert(id)
    }
    show()
  }

  /// Yields the rows if they differ from those that the pages show.
  private func show() {
    var rows = newest
    if !unmarked.isEmpty {
      for index in rows.indices where unmarked[rows[index].id] != nil {
        _ = mark(&rows[index], false)
      }
    }
    if let shown, shown.elementsEqual(rows, by: areEqual) { return }
    shown = rows
    continuation.yield(rows)
  }
}
