import Foundation

/// Known findings, which a run does not report.
///
/// The file, the rule and the text of the line identify a finding, so code above the line can
/// change. If several findings are equal, a run suppresses as many as the baseline contains.
struct Baseline: Codable {
  private var version = 1
  private var findings: [Entry] = []

  private struct Entry: Codable, Hashable {
    let file: String
    let rule: String
    let line: String
    var count = 1

    init(_ finding: LocatedFinding) {
      file = finding.file.path
      rule = finding.finding.rule
      line = finding.lineText
    }
  }

  /// A baseline of the given findings.
  init(_ findings: [LocatedFinding]) {
    var counts: [String: Entry] = [:]
    for finding in findings {
      counts[finding.fingerprint, default: Entry(finding)].count += 1
    }
    self.findings = counts.values.map { entry in
      var entry = entry
      entry.count -= 1
      return entry
    }.sorted { ($0.file, $0.rule, $0.line) < ($1.file, $1.rule, $1.line) }
  }

  init(contentsOf path: String) throws(SourceFileError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SourceFileError(
        path: path, message: "there is no such baseline; --update-baseline writes one")
    }
    do {
      self = try JSONDecoder().decode(Baseline.self, from: data)
    } catch {
      throw SourceFileError(path: path, message: "this is not a baseline of causeway check")
    }
    guard version == 1 else {
      throw SourceFileError(path: path, message: "the baseline's version \(version) is not known")
    }
  }

  func write(to path: String) throws(SourceFileError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw SourceFileError(
        path: path, message: "the baseline cannot be written: \(error.localizedDescription)")
    }
  }

  /// The findings that are not in the baseline.
  func new(_ findings: [LocatedFinding]) -> [LocatedFinding] {
    var remaining: [String: Int] = [:]
    for entry in self.findings {
      remaining[LocatedFinding.fingerprint(entry.file, entry.rule, entry.line), default: 0] +=
        entry.count
    }
    return findings.filter { finding in
      guard let count = remaining[finding.fingerprint], count > 0 else { return true }
      remaining[finding.fingerprint] = count - 1
      return false
    }
  }
}

extension LocatedFinding {
  /// The source line without leading and trailing white space.
  var lineText: String {
    file.line(line).trimmingCharacters(in: .whitespaces)
  }

  /// The identity of the finding, which does not depend on the code above it.
  var fingerprint: String { LocatedFinding.fingerprint(file.path, finding.rule, lineText) }

  static func fingerprint(_ path: String, _ rule: String, _ line: String) -> String {
    path + "\u{0}" + rule + "\u{0}" + line
  }
}
