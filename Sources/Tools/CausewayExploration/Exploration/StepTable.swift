/// The steps of a trial: a column for each task, and a row for each step.
final class StepTable {
  private struct Row {
    let task: Int
    let text: String
    let isSwitch: Bool
  }

  private var rows: [Row] = []
  /// The tasks in the order of their first steps.
  private var tasks: [Int] = []

  /// The largest numbers of rows of a report, at its begin and at its end.
  private static let most = (first: 20, last: 60)
  private static let width = 34

  /// Adds a step.
  ///
  /// - Parameters:
  ///   - turn: The step.
  ///   - task: The task; `nil` if it is unknown or has ended.
  ///   - isSwitch: Whether the task of the step before could have gone on.
  func add(_ turn: ScheduleTurn, _ task: Task<Void, Never>?, isSwitch: Bool) {
    let text: String
    if turn.isCancellation {
      text = "is cancelled"
    } else {
      let functions = task.map { WaitingPlace.functions(of: $0, count: 1) } ?? []
      text =
        functions.first.map(FunctionName.short)
        ?? (tasks.contains(turn.task) ? "goes on" : "begins")
    }
    if !tasks.contains(turn.task) { tasks.append(turn.task) }
    // Several steps of one function in a row are one row.
    if let row = rows.last, row.task == turn.task, row.text == text || text == "goes on" { return }
    rows.append(Row(task: turn.task, text: text, isSwitch: isSwitch))
  }

  /// The table.
  var text: String {
    let names = tasks.map { $0 == 1 ? "test" : "task \($0)" }
    var lines = ["      " + names.map(Self.cell).joined(separator: "  ")]
    for (index, row) in rows.enumerated() {
      let isCut = rows.count > Self.most.first + Self.most.last
      if isCut, index == Self.most.first { lines.append("      …") }
      if isCut, index >= Self.most.first, index < rows.count - Self.most.last { continue }
      let column = tasks.firstIndex(of: row.task) ?? 0
      let cells = tasks.indices.map { $0 == column ? Self.cell(row.text) : Self.cell("") }
      let number = String(index + 1)
      lines.append(
        String(repeating: " ", count: max(0, 4 - number.count)) + number + "  "
          + cells.joined(separator: "  ") + (row.isSwitch ? "  ← switch" : ""))
    }
    return lines.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }

  private static func cell(_ text: String) -> String {
    let short = text.count > width ? text.prefix(width - 1) + "…" : text[...]
    return short + String(repeating: " ", count: width - short.count)
  }
}
