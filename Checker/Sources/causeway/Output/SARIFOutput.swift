import Foundation

/// Findings as SARIF 2.1.0, the format of code scanning services.
enum SARIFOutput {
  static func render(_ report: Check.Report, rules: [any Rule.Type]) throws -> String {
    let descriptors = rules.map { rule in
      let text = RuleText(rule.id)
      return SARIF.Rule(
        id: rule.id, shortDescription: .init(text: text.summary),
        fullDescription: .init(text: text.reason),
        help: .init(text: text.plain, markdown: text.markdown),
        defaultConfiguration: .init(
          enabled: rule.isDefault, level: (report.severities[rule.id] ?? .warning).rawValue))
    }
    let indices = Dictionary(
      uniqueKeysWithValues: rules.enumerated().map { ($0.element.id, $0.offset) })
    let run = SARIF.Run(
      tool: .init(driver: .init(rules: descriptors)),
      invocations: [
        .init(
          executionSuccessful: !report.problems.contains(where: \.isFatal),
          toolExecutionNotifications: report.problems.map { problem in
            SARIF.Notification(
              level: problem.isFatal ? "error" : "warning",
              message: .init(text: problem.message),
              locations: [
                .init(
                  physicalLocation: .init(
                    artifactLocation: .init(uri: uri(problem.path)),
                    region: .init(startLine: problem.line, startColumn: problem.column)))
              ])
          })
      ],
      results: report.findings.map {
        result($0, indices[$0.finding.rule] ?? 0, report.severity(of: $0))
      })
    return try JSONOutput.encode(SARIF(runs: [run]))
  }

  private static func result(
    _ located: LocatedFinding, _ ruleIndex: Int, _ severity: Severity
  ) -> SARIF.Result {
    let finding = located.finding
    let artifact = SARIF.ArtifactLocation(uri: uri(located.file.path))
    let fixes = finding.edits.map { edit in
      SARIF.Fix(
        description: .init(text: finding.advice),
        artifactChanges: [
          .init(
            artifactLocation: artifact,
            replacements: [
              .init(
                deletedRegion: region(edit.range, in: located.file),
                insertedContent: .init(text: edit.replacement))
            ])
        ])
    }
    return SARIF.Result(
      ruleId: finding.rule, ruleIndex: ruleIndex, level: severity.rawValue,
      message: .init(text: "\(finding.message); \(finding.advice)"),
      locations: [
        .init(
          physicalLocation: .init(
            artifactLocation: artifact, region: region(finding.range, in: located.file)))
      ],
      partialFingerprints: ["causewayLine/v1": hash(fingerprint(of: located))],
      fixes: fixes.isEmpty ? nil : fixes)
  }

  /// The identity of a finding, which does not depend on the code above it.
  private static func fingerprint(of located: LocatedFinding) -> String {
    [located.file.path, located.finding.rule, located.lineText].joined(separator: "\u{0}")
  }

  /// Columns count UTF-16 code units, as `columnKind` states.
  private static func region(_ range: Range<Int>, in file: SourceFile) -> SARIF.Region {
    func place(_ offset: Int) -> (line: Int, column: Int) {
      let (line, _) = file.location(of: offset)
      return (line, file[file.lineStarts[line - 1]..<offset].utf16.count + 1)
    }
    let start = place(range.lowerBound)
    let end = place(range.upperBound)
    return SARIF.Region(
      startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column)
  }

  private static func uri(_ path: String) -> String {
    if path.hasPrefix("/") { return URL(fileURLWithPath: path).absoluteString }
    return path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
  }

  /// The FNV-1a hash, which is the same in each run.
  private static func hash(_ text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}
