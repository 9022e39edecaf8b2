import Foundation

/// One run of rules over modules.
struct Check: Sendable {
  let rules: [any Rule.Type]
  let jobs: Int
  /// Files that give types to others and have no findings.
  var excluded: [PathPattern] = []
  /// The severities of rules; others are warnings.
  var severities: [String: Severity] = [:]
  /// A file whose content is not that of the disk.
  var input: SourceFile?
  let progress: @Sendable (_ done: Int, _ total: Int) -> Void

  /// The findings of a run, sorted by file and place.
  struct Report: Sendable {
    var findings: [LocatedFinding] = []
    var problems: [Problem] = []
    var fileCount = 0
    var ignoredCount = 0
    /// The number of findings that were written to a new baseline.
    var baselineCount: Int?
    /// The severities of rules; others are warnings.
    var severities: [String: Severity] = [:]

    func severity(of finding: LocatedFinding) -> Severity {
      severities[finding.finding.rule] ?? .warning
    }

    /// Whether a finding or a problem makes the command fail.
    var fails: Bool {
      !problems.isEmpty || findings.contains { severity(of: $0) != .note }
    }
  }

  /// A file that could not be checked, or a comment that has no effect.
  struct Problem: Codable, Sendable {
    let path: String
    let line: Int
    let column: Int
    let message: String
    /// Whether the file was not checked.
    var isFatal = true
  }

  /// The sources of a module with its build settings.
  struct Module: Sendable {
    let settings: BuildSettings
    let files: [SourceFile]
  }

  /// The bytes of files, by path; without files that cannot be read.
  typealias Contents = [String: Data]

  /// Reads the files of modules.
  func read(_ modules: [SourceFinder.Module]) -> Contents {
    // Several targets can compile a file.
    let paths = Set(modules.flatMap(\.paths)).sorted()
    let read = Workers.map(paths, jobs: jobs) { FileManager.default.contents(atPath: $0) }
    return Contents(
      uniqueKeysWithValues: zip(paths, read).compactMap { path, data in data.map { (path, $0) } })
  }

  /// Parses the files of modules.
  func load(
    _ modules: [SourceFinder.Module], _ contents: Contents
  ) -> (modules: [Module], problems: [Problem]) {
    let paths = Set(modules.flatMap(\.paths)).sorted()
    let total = paths.count
    let input = input
    let loaded = Workers.map(paths, jobs: jobs, progress: { progress($0, total) }) {
      path -> Result<SourceFile, SourceFileError> in
      if let input, input.path == path { return .success(input) }
      guard let bytes = contents[path] else {
        return .failure(SourceFileError(path: path, message: "the file cannot be read"))
      }
      do throws(SourceFileError) {
        return .success(try SourceFile(path: path, bytes: bytes))
      } catch {
        return .failure(error)
      }
    }
    var problems: [Problem] = []
    var files: [String: SourceFile] = [:]
    for (path, result) in zip(paths, loaded) {
      switch result {
      case .success(let file): files[path] = file
      case .failure(let error):
        problems.append(Problem(path: error.path, line: 1, column: 1, message: error.message))
      }
    }
    let sources = modules.map { module in
      Module(settings: module.settings, files: module.paths.compactMap { files[$0] })
    }
    return (sources, problems)
  }

  /// Checks modules.
  ///
  /// It reports files with syntax errors and does not check them.
  func run(_ modules: [Module]) -> Report {
    let sources = Dictionary(
      modules.flatMap(\.files).map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    return report(results(of: modules), sources)
  }

  /// Checks modules; returns a result for each of them.
  func results(of modules: [Module]) -> [ModuleReport] {
    let files = modules.flatMap { module in
      let types = TypeTable(files: module.files.compactMap(\.facts), settings: module.settings)
      return module.files.filter { !isExcluded($0.path) }.compactMap { file in
        file.facts.map { CheckedFile(source: file, facts: $0, types: types) }
      }
    }
    let rules = rules
    var checked = Workers.map(files, jobs: jobs) { Check.findings(in: $0, rules) }[...]
    return modules.map { module in
      ModuleReport(
        files: module.files.filter { !isExcluded($0.path) }.map { file in
          if file.facts != nil, let result = checked.popFirst() { return result }
          return ModuleReport.File(path: file.path, problems: Check.syntaxProblems(of: file))
        })
    }
  }

  /// Whether a file has no findings.
  func isExcluded(_ path: String) -> Bool { excluded.contains { $0.matches(path) } }

  /// Joins the results of modules.
  ///
  /// - Parameter sources: The files with findings, by path.
  func report(_ results: [ModuleReport], _ sources: [String: SourceFile]) -> Report {
    var report = Report(severities: severities)
    var targetCounts: [String: Int] = [:]
    for file in results.flatMap(\.files) {
      if let source = sources[file.path] {
        report.findings += file.findings.map { LocatedFinding(file: source, finding: $0) }
      }
      targetCounts[file.path, default: 0] += 1
      guard targetCounts[file.path] == 1 else { continue }
      report.problems += file.problems
      report.ignoredCount += file.ignoredCount
    }
    report.problems = report.problems.filter(\.isFatal) + report.problems.filter { !$0.isFatal }
    report.fileCount = targetCounts.count
    report.findings = Check.valid(report.findings, rules, targetCounts)
    report.findings.sort { left, right in
      (left.file.path, left.finding.range.lowerBound, left.finding.rule)
        < (right.file.path, right.finding.range.lowerBound, right.finding.rule)
    }
    return report
  }

  private static func syntaxProblems(of file: SourceFile) -> [Problem] {
    file.syntaxErrors.prefix(SourceFile.reportedErrors).map { error in
      let place = file.location(of: error.offset)
      return Problem(
        path: file.path, line: place.line, column: place.column,
        message: "syntax error, the file is left out: " + error.message)
    }
  }

  /// The findings of files that several targets compile, each of them once.
  private static func valid(
    _ findings: [LocatedFinding], _ rules: [any Rule.Type], _ targetCounts: [String: Int]
  ) -> [LocatedFinding] {
    guard targetCounts.values.contains(where: { $0 > 1 }) else { return findings }
    struct Place: Hashable {
      let path: String
      let rule: String
      let offset: Int
    }
    let strict = Set(rules.filter { $0.needsAllTargets }.map { $0.id })
    let groups = Dictionary(grouping: findings) {
      Place(path: $0.file.path, rule: $0.finding.rule, offset: $0.finding.range.lowerBound)
    }
    return groups.compactMap { place, group in
      let isInAll = group.count == targetCounts[place.path]
      return strict.contains(place.rule) && !isInAll ? nil : group[0]
    }
  }

  private static func findings(in file: CheckedFile, _ rules: [any Rule.Type]) -> ModuleReport.File
  {
    let ignores = IgnoreComments(file.source)
    let all = rules.flatMap { $0.check(file) }
      .map { LocatedFinding(file: file.source, finding: $0) }
    var kept = all.filter { !ignores.ignores($0.finding.rule, line: $0.line) }.map(\.finding)
    let ignoredCount = all.count - kept.count
    if rules.contains(where: { $0.id == UnusedIgnore.id }) {
      kept += UnusedIgnore.findings(ignores, all, rules)
    }
    let problems = ignores.withoutReason.map { line in
      Problem(
        path: file.source.path, line: line, column: 1,
        message: "this ignore comment has no effect: write '// causeway:ignore RULE reason'",
        isFatal: false)
    }
    return ModuleReport.File(
      path: file.source.path, findings: kept, problems: problems, ignoredCount: ignoredCount)
  }
}
