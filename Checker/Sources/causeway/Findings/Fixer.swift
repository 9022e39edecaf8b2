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
    var fixedCount = 0
  }

  /// Fixes in memory until no rule offers an edit.
  ///
  /// - Parameter allows: Whether to fix a finding. Findings of a baseline are not fixed.
  func fix(_ modules: [Check.Module], allows: (LocatedFinding) -> Bool) -> Outcome {
    var modules = modules
    var outcome = Outcome(report: check.run(modules))
    var current: [String: (original: SourceFile, fixed: SourceFile)] = [:]
    var broken: Set<String> = []
    for _ in 0..<Fixer.maximumRounds {
      let fixable = outcome.report.findings.filter {
        !$0.finding.edits.isEmpty && !broken.contains($0.file.path) && allows($0)
      }
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
        outcome.fixedCount += count
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
