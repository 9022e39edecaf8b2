import Foundation

/// One run of rules over modules.
struct Check: Sendable {
  let rules: [any Rule.Type]
  let jobs: Int
  /// Files that give types to others and have no findings.
  var excluded: [PathPattern] = []
  /// The files that `folder-layers` checks; empty for all.
  var layered: [PathPattern] = []
  /// The severities of rules; others are warnings.
  var severities: [String: Severity] = [:]
  /// A file whose content does not come from the disk.
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

  /// The bytes of a file.
  struct Content: Sendable {
    let bytes: Data
    let digest: String

    init(_ bytes: Data) {
      self.bytes = bytes
      var digest = ContentDigest()
      digest.add(bytes)
      self.digest = digest.text
    }
  }

  /// The contents of files, by path; without files that cannot be read.
  typealias Contents = [String: Content]

  /// Reads the files of modules.
  func read(_ modules: [SourceFinder.Module]) -> Contents {
    // Several targets can compile a file.
    let paths = Set(modules.flatMap(\.paths)).sorted()
    let read = Workers.map(paths, jobs: jobs) {
      FileManager.default.contents(atPath: $0).map(Content.init)
    }
    return Contents(
      uniqueKeysWithValues: zip(paths, read).compactMap { path, file in file.map { (path, $0) } })
  }

  /// Parses the files of modules, except those that are parsed already.
  func load(
    _ modules: [SourceFinder.Module], _ contents: Contents, _ parsed: [String: SourceFile] = [:]
  ) -> (modules: [Module], problems: [Problem]) {
    let paths = Set(modules.flatMap(\.paths)).sorted()
    let total = paths.count
    let input = input
    let loaded = Workers.map(paths, jobs: jobs, progress: { progress($0, total) }) {
      path -> Result<SourceFile, SourceFileError> in
      if let input, input.path == path { return .success(input) }
      if let file = parsed[path] { return .success(file) }
      guard let bytes = contents[path]?.bytes else {
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
    return report(results(of: modules).map { ModuleReport(files: $0.files.map(\.file)) }, sources)
  }

  /// The findings in a file, and the names that the rules looked up in the module.
  struct FileResult: Sendable {
    let file: ModuleReport.File
    let lookups: Lookups.Names
  }

  /// Checks files of one module.
  func results(of files: [SourceFile], _ types: TypeTable) -> [FileResult] {
    results(of: files.map { ($0, types) })
  }

  private func results(of files: [(SourceFile, TypeTable)]) -> [FileResult] {
    let rules = rules
    return Workers.map(files, jobs: jobs) { file, types in
      guard let facts = file.facts else {
        let problems = Check.syntaxProblems(of: file)
        return FileResult(file: .init(path: file.path, problems: problems), lookups: .init())
      }
      let lookups = Lookups()
      let checked = CheckedFile(source: file, facts: facts, types: types.noting(lookups))
      return FileResult(file: Check.findings(in: checked, rules), lookups: lookups.names)
    }
  }

  private func results(
    of modules: [Module]
  ) -> [(module: Module, types: TypeTable, files: [FileResult])] {
    let tables = modules.map { module in
      var types = TypeTable(files: module.files.compactMap(\.facts), settings: module.settings)
      if readsFolders { types.folders = folders(of: module) }
      return types
    }
    let files = modules.map { $0.files.filter { !isExcluded($0.path) } }
    var all = results(of: zip(files, tables).flatMap { files, types in files.map { ($0, types) } })[
      ...]
    return modules.indices.map { index in
      let own = Array(all.prefix(files[index].count))
      all = all.dropFirst(own.count)
      return (modules[index], tables[index], own)
    }
  }

  /// Whether a rule asks about the folders of the module.
  var readsFolders: Bool { rules.contains { $0.id == FolderLayers.id } }

  private func folders(of module: Module) -> FolderGraph {
    let names = Workers.map(module.files, jobs: jobs) { file in
      file.facts.map { FolderNames(file, $0) } ?? FolderNames()
    }
    return inLayered(
      FolderGraph(
        Dictionary(zip(module.files.map(\.path), names), uniquingKeysWith: { first, _ in first })))
  }

  /// The graph without uses in files that need no layers.
  func inLayered(_ graph: FolderGraph) -> FolderGraph {
    if layered.isEmpty { return graph }
    return graph.filter { path in layered.contains { $0.matches(path) } }
  }

  /// Checks modules; returns a record for each of them.
  func records(of modules: [Module], _ contents: Contents) -> [ModuleRecord] {
    let results = results(of: modules)
    return Workers.map(Array(results.indices), jobs: jobs) { index in
      let (module, types, files) = results[index]
      var lookups = Dictionary(
        files.map { ($0.file.path, $0.lookups) }, uniquingKeysWith: { $1 })
      var records: [String: ModuleRecord.File] = [:]
      for file in module.files {
        records[file.path] = ModuleRecord.File(
          content: contents[file.path]?.digest,
          outline: file.facts.map { FileOutline(file, $0, readsFolders: readsFolders) },
          lookups: lookups.removeValue(forKey: file.path) ?? .init())
      }
      return ModuleRecord(
        files: records, isolations: types.isolations,
        report: ModuleReport(files: files.map(\.file)))
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

  /// The findings of files that several targets compile; each finding is returned once.
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
