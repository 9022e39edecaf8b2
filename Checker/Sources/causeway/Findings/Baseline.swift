import Foundation

/// Known findings, which a run does not report.
///
/// The file, the rule and the text of the line identify a finding, so code above the line can
/// change. If several findings are equal, a run suppresses as many as the baseline contains. Paths
/// are relative to the folder of the baseline, so other machines and folders can use it.
struct Baseline {
  private static let version = 1

  private struct Contents: Codable {
    var version = Baseline.version
    var findings: [Entry] = []
  }

  private struct Entry: Codable, Hashable {
    let file: String
    let rule: String
    let line: String
    var count = 1
  }

  private let path: String
  private var findings: [Entry] = []

  /// Makes a baseline of findings, for the file at a path.
  init(_ findings: [LocatedFinding], at path: String) {
    self.path = path
    var counts: [Entry: Int] = [:]
    for finding in findings { counts[entry(finding), default: 0] += 1 }
    self.findings = counts.map { entry, count in
      var entry = entry
      entry.count = count
      return entry
    }.sorted { ($0.file, $0.rule, $0.line) < ($1.file, $1.rule, $1.line) }
  }

  init(contentsOf path: String) throws(SourceFileError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SourceFileError(
        path: path, message: "there is no such baseline; --update-baseline writes one")
    }
    let contents: Contents
    do {
      contents = try JSONDecoder().decode(Contents.self, from: data)
    } catch {
      throw SourceFileError(path: path, message: "this is not a baseline of causeway check")
    }
    guard contents.version == Baseline.version else {
      throw SourceFileError(
        path: path, message: "the baseline's version \(contents.version) is not known")
    }
    self.path = path
    findings = contents.findings
  }

  func write() throws(SourceFileError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(Contents(findings: findings))
        .write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw SourceFileError(
        path: path, message: "the baseline cannot be written: \(error.localizedDescription)")
    }
  }

  /// The findings that are not in the baseline.
  func new(_ findings: [LocatedFinding]) -> [LocatedFinding] {
    var remaining: [Entry: Int] = [:]
    for var entry in self.findings {
      let count = entry.count
      entry.count = 1
      remaining[entry, default: 0] += count
    }
    return findings.filter { finding in
      let entry = self.entry(finding)
      guard let count = remaining[entry], count > 0 else { return true }
      remaining[entry] = count - 1
      return false
    }
  }

  /// The identity of a finding, which does not depend on the code above it.
  private func entry(_ finding: LocatedFinding) -> Entry {
    let folder = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path
    let file = URL(fileURLWithPath: finding.file.path).standardizedFileURL.path
    let isInside = file.hasPrefix(folder + "/")
    return Entry(
      file: isInside ? String(file.dropFirst(folder.count + 1)) : file,
      rule: finding.finding.rule,
      line: finding.lineText)
  }
}
