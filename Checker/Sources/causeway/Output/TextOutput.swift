/// Findings in the format of compiler warnings, with the source line, and a table at the end.
enum TextOutput {
  static func render(_ report: Check.Report, fixedCount: Int = 0) -> String {
    var text = ""
    for problem in report.problems {
      let severity = problem.isFatal ? "error" : "warning"
      text += "\(problem.path):\(problem.line):\(problem.column): \(severity): \(problem.message)\n"
    }
    for finding in report.findings { text += render(finding, report.severity(of: finding)) }
    text += table(report.findings)
    let files = report.fileCount == 1 ? "1 file" : "\(report.fileCount) files"
    let counts = [
      (report.problems.count, "problem"), (report.findings.count, "finding"),
    ].filter { $0.0 > 0 }.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }
    text += (counts.isEmpty ? "No findings" : counts.joined(separator: " and ")) + " in \(files)"
    if fixedCount > 0 { text += ", \(fixedCount) fixed" }
    if let written = report.baselineCount { text += ", \(written) written to the baseline" }
    if report.ignoredCount > 0 { text += ", \(report.ignoredCount) ignored by comments" }
    return text + ".\n"
  }

  private static func render(_ located: LocatedFinding, _ severity: Severity) -> String {
    let finding = located.finding
    let line = located.file.line(located.line)
    let before = Substring(line.utf8.prefix(located.column - 1))
    // Tabs are kept, so the caret is below its character at any tab width.
    let indentation = before.map { $0 == "\t" ? "\t" : String(repeating: " ", count: $0.width) }
    let isFixable = finding.edits.isEmpty ? "" : " (--fix does it)"
    return """
      \(located.file.path):\(located.line):\(located.column): \(severity.rawValue): \
      \(finding.message) [\(finding.rule)]
        \(line)
        \(indentation.joined())^
        \(finding.advice)\(isFixable)

      """
  }

  private static func table(_ findings: [LocatedFinding]) -> String {
    guard !findings.isEmpty else { return "" }
    let byRule = Dictionary(grouping: findings, by: \.finding.rule)
    let width = byRule.keys.map(\.count).max() ?? 0
    var text = "\n"
    for (rule, found) in byRule.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) })
    {
      let fixable = found.count { !$0.finding.edits.isEmpty }
      let count = String(found.count)
      text += rule + String(repeating: " ", count: width - rule.count + 2)
      text += String(repeating: " ", count: max(0, 5 - count.count)) + count
      text += fixable > 0 ? "  \(fixable) fixable\n" : "\n"
    }
    return text
  }
}

extension Character {
  /// The number of columns on a terminal.
  ///
  /// Emoji and East Asian wide characters have two columns. Unicode blocks determine them.
  fileprivate var width: Int {
    guard let scalar = unicodeScalars.first else { return 1 }
    if scalar.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF00...0xFF60,
      0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
