import Foundation

/// Applies the edits of findings, in memory and then to the files.
struct Fixer {
  /// The largest number of rounds.
  ///
  /// A fix can cause further findings. This is rare.
  private static let maximumRounds = 8

  let check: Check

  /// The result of fixing.
  struct Outcome {
    /// The report for the rewritten sources.
    var report: Check.Report
    /// The original and rewritten sources of changed files.
    var changed: [(original: SourceFile, fixed: SourceFile)] = []
    /// The number of fixes by the path of their file.
    var fixedCounts: [String: Int] = [:]
  }

  /// Applies fixes in memory until no rule offers an edit.
  ///
  /// - Parameter allows: Whether to fix a finding. Findings of a baseline are not fixed.
  func fix(_ modules: [Check.Module], allows: (LocatedFinding) -> Bool) -> Outcome {
    var modules = modules
    var outcome = Outcome(report: check.run(modules))
    var current: [String: (original: SourceFile, fixed: SourceFile)] = [:]
    var broken: Set<String> = []
    let copies = Fixer.copies(of: Set(modules.flatMap(\.files).map(\.path)))
    for _ in 0..<Fixer.maximumRounds {
      let allowed = outcome.report.findings.filter {
        !$0.finding.edits.isEmpty && !broken.contains($0.file.path) && allows($0)
      }
      let fixable = Fixer.validForAllCopies(allowed, copies)
      guard !fixable.isEmpty else { break }
      let groups = Dictionary(grouping: fixable, by: \.file.path).values.map { $0 }
      let rewritten = Workers.map(groups, jobs: check.jobs) { findings in
        let old = findings[0].file
        let (text, count) = Fixer.applying(findings.flatMap(\.finding.edits), to: old.text)
        return (
          old: old, count: count,
          new: SourceFile(path: old.path, text: text, hasByteOrderMark: old.hasByteOrderMark)
        )
      }
      for (old, count, new) in rewritten {
        guard new.syntaxErrors.isEmpty else {
          broken.insert(old.path)
          continue
        }
        outcome.fixedCounts[old.path, default: 0] += count
        current[old.path] = (current[old.path]?.original ?? old, new)
      }
      modules = modules.map { module in
        Check.Module(
          settings: module.settings, files: module.files.map { current[$0.path]?.fixed ?? $0 })
      }
      outcome.report = check.run(modules)
    }
    outcome.changed = current.values.sorted { $0.original.path < $1.original.path }
    return outcome
  }

  /// A file that has several paths because of symbolic links.
  private struct Copies {
    let file: String
    let count: Int
  }

  /// Returns the files with several paths, by path.
  private static func copies(of paths: Set<String>) -> [String: Copies] {
    let byFile = Dictionary(grouping: paths) {
      URL(fileURLWithPath: $0).resolvingSymlinksInPath().path
    }
    var copies: [String: Copies] = [:]
    for (file, paths) in byFile where paths.count > 1 {
      for path in paths { copies[path] = Copies(file: file, count: paths.count) }
    }
    return copies
  }

  /// Returns the findings that apply to all copies of their file.
  ///
  /// Two targets can share a file by a symbolic link and differ in their settings. A fix for one
  /// target can then break the other one.
  private static func validForAllCopies(
    _ findings: [LocatedFinding], _ copies: [String: Copies]
  ) -> [LocatedFinding] {
    guard !copies.isEmpty else { return findings }
    func key(_ finding: LocatedFinding, _ file: String) -> String {
      "\(finding.finding.rule) \(finding.finding.range.lowerBound) \(file)"
    }
    var counts: [String: Int] = [:]
    for finding in findings {
      guard let copy = copies[finding.file.path] else { continue }
      counts[key(finding, copy.file), default: 0] += 1
    }
    return findings.filter { finding in
      guard let copy = copies[finding.file.path] else { return true }
      return counts[key(finding, copy.file)] == copy.count
    }
  }

  /// The text after the edits.
  ///
  /// If two edits overlap, only the earlier one is applied.
  static func applying(_ edits: [Edit], to text: String) -> (text: String, count: Int) {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var position = 0
    var count = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where edit.range.lowerBound >= position {
      result += bytes[position..<edit.range.lowerBound]
      result += edit.replacement.utf8
      position = edit.range.upperBound
      count += 1
    }
    result += bytes[position...]
    return (String(decoding: result, as: UTF8.self), count)
  }
}
