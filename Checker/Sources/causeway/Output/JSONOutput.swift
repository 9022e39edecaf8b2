import Foundation

/// Findings as one JSON object.
enum JSONOutput {
  private struct Document: Encodable {
    let version = 1
    let files: Int
    let findings: [Entry]
    let problems: [Problem]
  }

  private struct Entry: Encodable {
    let file: String
    let line: Int
    let column: Int
    let endLine: Int
    let endColumn: Int
    let rule: String
    let severity: Severity
    let message: String
    let advice: String
    let fixes: [Fix]
  }

  private struct Fix: Encodable {
    let offset: Int
    let length: Int
    let replacement: String
  }

  private struct Problem: Encodable {
    let file: String
    let line: Int
    let column: Int
    let severity: String
    let message: String
  }

  static func render(_ report: Check.Report) throws -> String {
    let document = Document(
      files: report.fileCount,
      findings: report.findings.map { located in
        let end = located.file.location(of: located.finding.range.upperBound)
        return Entry(
          file: located.file.path, line: located.line, column: located.column, endLine: end.line,
          endColumn: end.column, rule: located.finding.rule,
          severity: report.severity(of: located), message: located.finding.message,
          advice: located.finding.advice,
          fixes: located.finding.edits.map { edit in
            let mark = located.file.hasByteOrderMark ? 3 : 0
            return Fix(
              offset: edit.range.lowerBound + mark, length: edit.range.count,
              replacement: edit.replacement)
          })
      },
      problems: report.problems.map {
        Problem(
          file: $0.path, line: $0.line, column: $0.column,
          severity: $0.isFatal ? "error" : "warning", message: $0.message)
      })
    return try encode(document)
  }

  /// The value as indented text with sorted keys, and a line break at the end.
  static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}
