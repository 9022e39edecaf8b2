/// The steps of a trial: a column for each task, and a row for each step.
final class StepTable {
  private struct Row: Equatable {
    let task: Int
    let text: String
    /// The file and the line.
    let line: String?
    let mark: TaskChooser.Mark?
  }

  private var rows: [Row] = []
  /// The tasks in the order of their first steps.
  private var tasks: [Int] = []
  /// The names that the program has given to tasks.
  private var names: [Int: String] = [:]

  /// The largest numbers of rows at the beginning and at the end of a report.
  private static let most = (first: 20, last: 60)
  private static let width = 34

  /// Adds a step.
  ///
  /// - Parameters:
  ///   - turn: The step.
  ///   - task: The task; `nil` if it is unknown or has ended.
  ///   - name: The name of the task; `nil` without a name.
  ///   - mark: The mark of a step that differs from the usual order; `nil` for other steps.
  func add(
    _ turn: ScheduleTurn, _ task: Task<Void, Never>?, name: String?, mark: TaskChooser.Mark?
  ) {
    let place = task.flatMap { WaitingPlace.all(of: $0, count: 1).first }
    let text =
      turn.isCancellation
      ? "is cancelled"
      : place.map { FunctionName.short($0.function) }
        ?? (tasks.contains(turn.task) ? "goes on" : "begins")
    if !tasks.contains(turn.task) { tasks.append(turn.task) }
    names[turn.task] = name ?? names[turn.task]
    // Consecutive steps of a task at the same line are one row.
    if let row = rows.last, row.task == turn.task,
      text == "goes on" || row.text == text && row.line == place?.line
    {
      return
    }
    rows.append(Row(task: turn.task, text: text, line: place?.line, mark: mark))
  }

  /// Describes the first row that a table of another run does not have; `nil` if the rows are equal.
  func firstDifference(from other: StepTable) -> String? {
    let same = zip(rows, other.rows).prefix { $0 == $1 }.count
    guard same < max(rows.count, other.rows.count) else { return nil }
    return """
      Step \(same + 1) was \(step(at: same)) in one run of this order, and \
      \(other.step(at: same)) in the next.
      """
  }

  private func step(at index: Int) -> String {
    guard rows.indices.contains(index) else { return "missing" }
    let row = rows[index]
    return "\"\(title(of: row.task)): \(row.text)\"" + (row.line.map { " (\($0))" } ?? "")
  }

  private func title(of task: Int) -> String {
    names[task] ?? (task == 1 ? "test" : "task \(task)")
  }

  /// The table.
  var text: String {
    let titles = tasks.map(title)
    let longest = rows.compactMap { $0.line?.count }.max().map { $0 + 2 } ?? 0
    func place(_ line: String?) -> String { Self.padded(line ?? "", to: longest) }
    var lines = ["      " + place(nil) + titles.map(Self.cell).joined(separator: "  ")]
    for (index, row) in rows.enumerated() {
      let isCut = rows.count > Self.most.first + Self.most.last
      if isCut, index == Self.most.first { lines.append("      …") }
      if isCut, index >= Self.most.first, index < rows.count - Self.most.last { continue }
      let column = tasks.firstIndex(of: row.task) ?? 0
      let cells = tasks.indices.map { $0 == column ? Self.cell(row.text) : Self.cell("") }
      let number = String(index + 1)
      let start = String(repeating: " ", count: max(0, 4 - number.count)) + number + "  "
      lines.append(
        start + place(row.line) + cells.joined(separator: "  ") + Self.text(of: row.mark))
    }
    return lines.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }

  private static func text(of mark: TaskChooser.Mark?) -> String {
    switch mark {
    case .switched: "  ← switch"
    case .overtook: "  ← before a shorter wait"
    case nil: ""
    }
  }

  private static func cell(_ text: String) -> String {
    let short = text.count > width ? text.prefix(width - 1) + "…" : text[...]
    return padded(String(short), to: width)
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
