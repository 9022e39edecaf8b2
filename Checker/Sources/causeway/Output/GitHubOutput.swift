/// Findings as workflow commands, which GitHub shows at the lines of a pull request.
enum GitHubOutput {
  static func render(_ report: Check.Report) -> String {
    var text = ""
    for problem in report.problems {
      text += command(
        problem.isFatal ? "error" : "warning", file: problem.path,
        "line=\(problem.line),col=\(problem.column)", title: "causeway check", problem.message)
    }
    for located in report.findings {
      let end = located.file.location(of: located.finding.range.upperBound)
      // GitHub accepts columns only if the range is in one line.
      let columns =
        end.line == located.line ? ",col=\(located.column),endColumn=\(end.column)" : ""
      let severity = report.severity(of: located)
      text += command(
        severity == .note ? "notice" : severity.rawValue, file: located.file.path,
        "line=\(located.line),endLine=\(end.line)\(columns)", title: located.finding.rule,
        "\(located.finding.message); \(located.finding.advice)")
    }
    return text
  }

  private static func command(
    _ name: String, file: String, _ place: String, title: String, _ message: String
  ) -> String {
    "::\(name) file=\(property(file)),\(place),title=\(property(title))::\(data(message))\n"
  }

  private static func data(_ text: String) -> String {
    escape(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  private static func property(_ text: String) -> String {
    escape(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  private static func escape(_ text: String, _ table: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.map { table[$0] ?? String($0) }.joined()
  }
}
