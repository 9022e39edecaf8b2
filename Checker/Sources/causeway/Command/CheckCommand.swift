import Foundation
import Synchronization

/// `causeway check`.
enum CheckCommand {
  static let help = """
    Reports isolation problems that the Swift compiler does not report.

    USAGE: causeway check [PATHS] [OPTIONS]

    Without PATHS it checks the Swift files in the current folder.

      --fix                      applies the fixes that keep the meaning
      --format FORMAT            text (default), json, sarif or github
      --only RULE[,RULE]         runs these rules, also those that are off by default
      --skip RULE[,RULE]         does not run these rules
      --stdin --path FILE        reads the content of FILE from standard input, for editors
      --config FILE              reads FILE instead of the .causeway.yml in the current folder
      --baseline FILE            does not report the findings in FILE
      --update-baseline          writes the findings to the FILE of --baseline
      --explain RULE             prints the reason, the examples and the exceptions of a rule
      --no-cache                 checks everything, also if nothing has changed
      --jobs N                   the number of threads; by default, one per processor
      --default-isolation ACTOR  MainActor or nonisolated; overrides the project
      --upcoming-feature NAME    enables a feature, besides those of the project
      --swift-version N          the language mode; overrides the project

    A comment '// causeway:ignore RULE reason' at the end of a line, or on the line above,
    suppresses the findings of the rule on that line. PATHS after '--' can begin with '-'.
    The project is the Package.swift or the Xcode project above a file. Without a project, the
    language mode is unknown, and rules that need Swift 6 report nothing; see --swift-version.

    A .causeway.yml can have 'enabled' and 'disabled' rules, a 'severity' of rules, 'paths',
    'excluded' files, folders and patterns, 'layered' folders, which folder-layers checks, and a
    'baseline'. Options override it; with --only, its rules do not count. Outputs are kept in
    .build/causeway, and printed again while nothing has changed. After a change, only the changed
    files and the files that read their types are checked.

    EXIT STATUS: 0 without findings or only with notes, 1 with findings, 2 if the command could
    not run.

    """

  /// Runs the command; returns the exit status.
  static func run(_ words: [String]) throws -> Int32 {
    var arguments = try Arguments(words)
    if arguments.showsHelp {
      print(help, terminator: "")
      return 0
    }
    if let rule = arguments.explain {
      print(RuleText(rule).plain)
      return 0
    }
    if let file = try configurationFile(arguments) { arguments.apply(file) }
    if arguments.updatesBaseline, arguments.baseline == nil {
      throw ArgumentError("--update-baseline needs --baseline FILE, or one in .causeway.yml")
    }
    var input: SourceFile?
    if arguments.readsInput {
      let bytes = FileHandle.standardInput.readDataToEndOfFile()
      input = try SourceFile(path: arguments.paths[0], bytes: bytes)
    }
    var finder = SourceFinder(compilerArguments: arguments.compilerArguments, input: input?.path)
    let all = try finder.modules(at: arguments.paths.isEmpty ? ["."] : arguments.paths)
    guard !all.isEmpty else { throw ArgumentError("there are no Swift files at these paths") }
    let excluded = arguments.excluded.map(PathPattern.init)
    let found = all.filter { module in
      module.paths.contains { path in !excluded.contains { $0.matches(path) } }
    }
    let progress = ProgressBar(total: found.reduce(0) { $0 + $1.paths.count })
    let check = Check(
      rules: arguments.rules, jobs: arguments.jobs ?? ProcessInfo.processInfo.activeProcessorCount,
      excluded: excluded, layered: arguments.layered.map(PathPattern.init),
      severities: arguments.severities, input: input,
      progress: { done, _ in progress.show(done) })
    let contents = check.read(found)
    let cache = try cache(arguments, found, contents)
    if let entry = cache?.entry() {
      print(entry.output, terminator: "")
      return entry.status
    }
    let moduleCache =
      arguments.usesCache && !arguments.fixes && input == nil
      ? ModuleCache(
        rules: arguments.rules, excluded: arguments.excluded + ["layered"] + arguments.layered,
        modules: found, contents: contents)
      : nil
    var known = found.indices.map { moduleCache?.report(at: $0) }
    var new: [Int: ModuleRecord] = [:]
    var parsed: [String: SourceFile] = [:]
    for index in found.indices where known[index] == nil {
      guard let earlier = moduleCache?.record(at: index) else { continue }
      new[index] = IncrementalCheck(
        check: check, module: found[index], contents: contents, record: earlier
      ).run(&parsed)
      known[index] = new[index]?.report
    }
    let (modules, unread) = check.load(
      zip(found, known).filter { $0.1 == nil }.map(\.0), contents, parsed)
    var problems = unread
    progress.clear()
    let baseline = try arguments.updatesBaseline ? nil : arguments.baseline.map(readBaseline)
    var report: Check.Report
    var fixedCount = 0
    if arguments.fixes {
      let old = baseline
      let outcome = Fixer(check: check).fix(modules) { finding in
        old.map { !$0.new([finding]).isEmpty } ?? true
      }
      FileReplacement.removeLeftovers(besides: modules.flatMap(\.files).map(\.path))
      for (original, fixed) in outcome.changed {
        do throws(SourceFileError) {
          try FileReplacement.write(fixed, over: original)
          fixedCount += outcome.fixedCounts[original.path] ?? 0
        } catch {
          problems.append(
            Check.Problem(
              path: error.path, line: 1, column: 1, message: "not fixed: " + error.message))
        }
      }
      report = outcome.report
    } else {
      var checked = check.records(of: modules, contents)[...]
      var results: [ModuleReport] = []
      for (index, known) in known.enumerated() {
        if known == nil { new[index] = checked.popFirst() }
        guard let result = known ?? new[index]?.report else { continue }
        results.append(result)
      }
      if problems.isEmpty { moduleCache?.store(new) }
      report = check.report(results, try sources(of: results, modules, contents))
    }
    report.problems = problems + report.problems
    if arguments.updatesBaseline, let path = arguments.baseline {
      try Baseline(report.findings, at: path).write()
      report.baselineCount = report.findings.count
      report.findings = []
    }
    if let baseline { report.findings = baseline.new(report.findings) }
    let output = try render(report, arguments, fixedCount: fixedCount)
    print(output, terminator: "")
    if !problems.isEmpty { return 2 }
    let status: Int32 = report.fails ? 1 : 0
    cache?.store(ReportCache.Entry(status: status, output: output))
    return status
  }

  /// The earlier outputs; `nil` for a run that changes files or reads from standard input.
  private static func cache(
    _ arguments: Arguments, _ modules: [SourceFinder.Module], _ contents: Check.Contents
  ) throws -> ReportCache? {
    if arguments.fixes || arguments.updatesBaseline || arguments.readsInput { return nil }
    if !arguments.usesCache { return nil }
    let baseline = arguments.baseline.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
    return ReportCache(
      words: [ReportCache.program, baseline ?? ""] + arguments.cacheKey, modules: modules,
      contents: contents)
  }

  /// The files with findings; files of modules that were not checked again are not parsed.
  private static func sources(
    of results: [ModuleReport], _ modules: [Check.Module], _ contents: Check.Contents
  ) throws(SourceFileError) -> [String: SourceFile] {
    var sources = Dictionary(
      modules.flatMap(\.files).map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    for file in results.flatMap(\.files) where !file.findings.isEmpty {
      guard sources[file.path] == nil, let bytes = contents[file.path]?.bytes else { continue }
      sources[file.path] = try SourceFile(unparsed: bytes, path: file.path)
    }
    return sources
  }

  private static func configurationFile(
    _ arguments: Arguments
  ) throws(ArgumentError) -> ConfigurationFile? {
    if let path = arguments.configuration { return try ConfigurationFile(contentsOf: path) }
    guard FileManager.default.fileExists(atPath: ConfigurationFile.name) else { return nil }
    return try ConfigurationFile(contentsOf: ConfigurationFile.name)
  }

  private static func readBaseline(_ path: String) throws -> Baseline {
    try Baseline(contentsOf: path)
  }

  private static func render(
    _ report: Check.Report, _ arguments: Arguments, fixedCount: Int
  ) throws -> String {
    switch arguments.format {
    case .text: TextOutput.render(report, fixedCount: fixedCount)
    case .json: try JSONOutput.render(report)
    case .sarif: try SARIFOutput.render(report, rules: arguments.rules)
    case .github: GitHubOutput.render(report)
    }
  }
}

/// The progress of reading files.
///
/// It is shown on a terminal if there are many files.
private final class ProgressBar: Sendable {
  private static let width = 30
  private static let minimumTotal = 200
  private let total: Int
  private let isShown: Bool
  /// The number of filled cells that was printed last.
  private let printed = Mutex(-1)

  init(total: Int) {
    self.total = total
    isShown =
      total >= ProgressBar.minimumTotal && isatty(FileHandle.standardError.fileDescriptor) == 1
  }

  func show(_ done: Int) {
    guard isShown else { return }
    printed.withLock { printed in
      let filled = done * ProgressBar.width / total
      guard filled > printed else { return }
      printed = filled
      let bar =
        String(repeating: "#", count: filled)
        + String(repeating: ".", count: ProgressBar.width - filled)
      FileHandle.standardError.write(Data("\r[\(bar)] \(done)/\(total) files".utf8))
    }
  }

  func clear() {
    guard isShown else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
  }
}
