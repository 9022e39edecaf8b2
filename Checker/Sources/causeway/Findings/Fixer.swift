import Foundation

/// Applies the edits of findings, in memory and then to the files.
struct Fixer {
  /// A fix can lead to further findings.
  ///
  /// This is rare, and the limit bounds the work.
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
      for (path, findings) in Dictionary(grouping: fixable, by: \.file.path) {
        let old = findings[0].file
        let (text, count) = Fixer.applying(findings.flatMap(\.finding.edits), to: old.text)
        let new = SourceFile(path: path, text: text, hasByteOrderMark: old.hasByteOrderMark)
        guard new.syntaxErrors.isEmpty else {
          broken.insert(path)
          continue
        }
        outcome.fixedCount += count
        current[path] = (current[path]?.original ?? old, new)
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

  /// Replaces a file atomically.
  static func write(_ fixed: SourceFile, over original: SourceFile) throws(SourceFileError) {
    // A symbolic link stays: its target is replaced.
    let path = URL(fileURLWithPath: original.path).resolvingSymlinksInPath().path
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let old = Data((original.hasByteOrderMark ? mark : []) + Array(original.text.utf8))
    guard FileManager.default.contents(atPath: path) == old else {
      throw SourceFileError(path: original.path, message: "the file has changed since it was read")
    }
    let new = Data((fixed.hasByteOrderMark ? mark : []) + Array(fixed.text.utf8))
    let folder = (path as NSString).deletingLastPathComponent
    let temporary =
      folder + "/.causeway-\(ProcessInfo.processInfo.processIdentifier)-"
      + (path as NSString).lastPathComponent
    let permissions = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions]
    guard
      FileManager.default.createFile(
        atPath: temporary, contents: nil,
        attributes: permissions.map { [.posixPermissions: $0] }),
      let handle = FileHandle(forWritingAtPath: temporary)
    else {
      throw SourceFileError(path: original.path, message: "its folder cannot be written to")
    }
    do {
      try handle.write(contentsOf: new)
      try handle.synchronize()
      try handle.close()
    } catch {
      try? FileManager.default.removeItem(atPath: temporary)
      throw SourceFileError(path: original.path, message: "writing failed: \(error)")
    }
    guard rename(temporary, path) == 0 else {
      try? FileManager.default.removeItem(atPath: temporary)
      throw SourceFileError(path: original.path, message: "the file cannot be replaced")
    }
  }
}
