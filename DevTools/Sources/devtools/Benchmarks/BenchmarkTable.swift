import Foundation

/// Writes the output of a benchmark as a table, and lines without a goal or a floor as text.
///
/// A line "NAME: FIGURE  [GOAL]" or "NAME: FIGURE (target NUMBER)" has a goal too.
struct BenchmarkTable {
  private var rows = ""
  private var others = ""
  private var goals = 0
  private var missed = 0

  /// The table and the text.
  static func page(_ output: String) -> String {
    var table = BenchmarkTable()
    for line in output.components(separatedBy: "\n") { table.add(rounded(line)) }
    return table.text
  }

  private var text: String {
    var text = ""
    if !rows.isEmpty {
      text +=
        "| row | goal | figure | floor | ratio | allocations | |\n|---|---|---|---|---|---|---|\n"
        + rows + "\n"
      if goals > 0 {
        text += "\(goals - missed) of \(goals) goals are met"
        text += missed > 0 ? ", \(missed) missed.\n" : ".\n"
      }
    }
    if !others.isEmpty { text += (rows.isEmpty ? "" : "\n") + "```text\n\(others)```\n" }
    return text
  }

  /// The line with two digits after the point of each long number.
  private static func rounded(_ line: String) -> String {
    line.replacing(/[0-9]+\.[0-9]{4,}/) { String(format: "%.2f", Amount.number($0.0)) }
  }

  private mutating func add(_ line: String) {
    if let row = BenchmarkRow(line) {
      let allocations = row.rest.replacing(/\ \ \[.*/, with: "")
      let goal = Self.bracketed(line)
      let mark = verdict(
        goal, row.name, Amount.size(row.work), floor: Amount.size(row.floor), row.ratio,
        allocations: Amount.number(allocations))
      add([row.name, goal, row.work, row.floor, row.ratio, allocations, mark])
    } else if let match = line.firstMatch(of: /:\ (.*(?:\ \ \[[^\]]*\]|\ \(target\ [0-9.]+\)))$/) {
      var figure = String(match.1)
      var goal = Self.bracketed(figure)
      if let target = figure.firstMatch(of: /\ \(target\ ([0-9.]+)\)$/) {
        figure = String(figure[..<target.range.lowerBound])
        let unit = figure.replacing(/^[0-9.]+\ /, with: "")
        goal = "<= \(String(format: "%.6g", Amount.number(target.1))) \(unit)"
      }
      figure = figure.replacing(/\ \ \[.*/, with: "")
      let ratio = figure.firstMatch(of: /ratio\ ([0-9.]+)/).map { String($0.1) } ?? ""
      let name = String(line[..<match.range.lowerBound])
      let mark = verdict(goal, name, Amount.size(figure), floor: 0, ratio, allocations: 0)
      add([name, goal, figure, "", ratio, "", mark])
    } else if line.contains(/[^\ \t]/), !line.contains(/^\[[0-9]+\/[0-9]+\]|^Build\ |^Building\ /) {
      others += "\(line)\n"
    }
  }

  private mutating func add(_ cells: [String]) {
    var cells = cells
    cells[0] = cells[0].replacing("|", with: "\\|")
    rows += "| \(cells.joined(separator: " | ")) |\n"
  }

  /// Says whether a figure meets its goal; empty if there is no goal.
  private mutating func verdict(
    _ goal: String, _ name: String, _ work: Double, floor: Double, _ ratio: String,
    allocations: Double
  ) -> String {
    guard !goal.isEmpty else { return "" }
    var isMissed = false
    if let more = goal.firstMatch(of: /<=\ floor\ \+\ ([0-9.]+\ [^\ ,]+)/) {
      isMissed = work > floor + Amount.size(String(more.1))
    } else if let times = goal.firstMatch(of: /<=\ ([0-9.]+)\ x\ /) {
      isMissed = Amount.number(ratio) > Amount.number(times.1)
    } else if let most = goal.firstMatch(of: /<=\ ([0-9.]+\ [^\ ,]+)/) {
      var limit = Amount.size(String(most.1))
      // The goal of one consumer; the name begins with their number.
      if goal.contains("a consumer"), let number = name.firstMatch(of: /[0-9]+/) {
        limit *= Amount.number(number.0)
      }
      isMissed = work > limit
    }
    if goal.contains(/0\ allocations|no\ allocation|no\ copy/), allocations > 0.001 {
      isMissed = true
    }
    goals += 1
    if isMissed { missed += 1 }
    return isMissed ? "**missed**" : "met"
  }

  /// The text in brackets at the end of a line.
  private static func bracketed(_ text: String) -> String {
    text.firstMatch(of: /\ \ \[([^\]]*)\]$/).map { String($0.1) } ?? ""
  }
}
