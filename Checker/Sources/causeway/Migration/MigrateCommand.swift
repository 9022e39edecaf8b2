import Foundation

/// `causeway migrate`.
enum MigrateCommand {
  private static let help = """
    Prepares a module for default isolation to the main actor.

    USAGE: causeway migrate --default-isolation MainActor [TARGET_FOLDER] [OPTIONS]

    Adds 'nonisolated' to declarations that code off the main actor needs, removes '@MainActor' where
    it becomes redundant, replaces '@preconcurrency' conformances by isolated ones, and lists the
    decisions that you have to make. TARGET_FOLDER is the folder of one target, by default the
    current folder.

      --target NAME        the target, if files of the folder belong to several; a file that another
                           target also compiles is changed for both
      --upcoming-feature NonisolatedNonsendingByDefault
                           the target enables this feature too: async functions with long work of
                           their own get '@concurrent', and the others are listed
      --all                marks also the types that are Sendable, Codable or an Error, and everything
                           that nonisolated code mentions; by default, only the declarations that
                           code off the main actor needs are marked
      --index-store PATH   the index of a debug build; by default, the index in the package's .build
      --dry-run            prints the counts and the decisions, and changes no files

    EXIT STATUS: 0 after a migration, 2 if the command could not run.

    """

  /// The options after `causeway migrate`.
  private struct Options {
    var path = "."
    var target: String?
    var store: String?
    var addsNonsending = false
    var scope = MigrationPlan.Scope.needed
    var isDryRun = false
    var showsHelp = false

    init(_ words: [String]) throws(ArgumentError) {
      var paths: [String] = []
      var isolation: String?
      var rest = words[...]
      while let word = rest.popFirst() {
        guard word.hasPrefix("-") else {
          paths.append(word)
          continue
        }
        let option = CommandOption(word)
        let name = option.name
        func value(besides other: String? = nil) throws(ArgumentError) -> String {
          let value = try option.value(in: &rest)
          if let other, other != value {
            throw ArgumentError("\(name) has two values, '\(other)' and '\(value)'")
          }
          return value
        }
        switch name {
        case "--default-isolation":
          isolation = try value(besides: isolation)
          guard isolation == "MainActor" else {
            throw ArgumentError("the only value of \(name) is MainActor")
          }
        case "--target": target = try value(besides: target)
        case "--index-store": store = try value(besides: store)
        case "--upcoming-feature":
          guard try value() == "NonisolatedNonsendingByDefault" else {
            throw ArgumentError("the only value of \(name) is NonisolatedNonsendingByDefault")
          }
          addsNonsending = true
        case "--dry-run" where option.inline == nil: isDryRun = true
        case "--all" where option.inline == nil: scope = .all
        case "--help", "-h": showsHelp = true
        default:
          let known = [
            "--default-isolation", "--target", "--index-store", "--upcoming-feature", "--dry-run",
            "--all", "--help",
          ]
          throw ArgumentError(
            "there is no option '\(word)'\(Suggestion.text(for: name, in: known)); see causeway "
              + "migrate --help")
        }
      }
      if showsHelp { return }
      guard isolation != nil else {
        throw ArgumentError(
          "'--default-isolation MainActor' is missing; see causeway migrate --help")
      }
      guard paths.count <= 1 else { throw ArgumentError("give the folder of one target") }
      path = paths.first ?? path
    }
  }

  static func run(_ words: [String]) throws -> Int32 {
    let options = try Options(words)
    if options.showsHelp {
      print(help, terminator: "")
      return 0
    }
    return try migrate(options)
  }

  private static func migrate(_ options: Options) throws -> Int32 {
    let path = options.path
    var finder = SourceFinder(compilerArguments: [])
    let all = try finder.modules(at: [path])
    let found = all.filter { !$0.isManifest }
    guard !found.isEmpty else {
      throw ArgumentError(
        all.isEmpty
          ? "there are no Swift files in \(path)"
          : "no target of the package around \(path) has its Swift files")
    }
    let target = try chosen(options.target, in: found, at: path)
    warnAboutSharedFiles(of: target, in: found)
    let root = finder.root(ofModule: target)
    let around = try root.map { try finder.modules(at: [$0]) } ?? []
    let sharedFiles = files(of: target, alsoIn: around + found)
    let jobs = ProcessInfo.processInfo.activeProcessorCount
    let check = Check(rules: [], jobs: jobs, progress: { _, _ in })
    let loaded = [target] + rest(of: around + found, besides: target)
    let (modules, problems) = check.load(loaded, check.read(loaded))
    guard let module = modules.first, problems.isEmpty else {
      throw ArgumentError(problems.map { "\($0.path): \($0.message)" }.joined(separator: "\n"))
    }
    if let broken = module.files.first(where: { !$0.syntaxErrors.isEmpty }) {
      throw SourceFileError(path: broken.path, message: "the file has syntax errors")
    }
    let index = try self.index(options.store, root: root, folder: path, files: module.files)
    let hasNonsending = module.settings.has("NonisolatedNonsendingByDefault")
    let others = zip(loaded, modules).dropFirst().compactMap { found, module in
      index != nil
        ? Migration.Users(module: module)
        : Migration.Users(
          module: module, of: target.targetName, sharing: sharedFiles[found.name] ?? [])
    }
    let outcome = Workers.map([0], jobs: 1) { _ in
      Migration(
        module: module, others: others, index: index,
        addsNonsending: options.addsNonsending && !hasNonsending, scope: options.scope, jobs: jobs
      ).run()
    }[0]
    if !options.isDryRun {
      FileReplacement.removeLeftovers(besides: module.files.map(\.path))
      for (original, fixed) in outcome.changed {
        try FileReplacement.write(fixed, over: original)
      }
    }
    report(outcome, isDryRun: options.isDryRun)
    return 0
  }

  /// The files of the target that other modules compile too, by the names of these modules.
  private static func files(
    of target: SourceFinder.Module, alsoIn modules: [SourceFinder.Module]
  ) -> [String: Set<String>] {
    let own = Dictionary(
      target.paths.map { (standardized($0), $0) }, uniquingKeysWith: { first, _ in first })
    return Dictionary(
      modules.filter { $0.name != target.name }.map { module in
        (module.name, Set(module.paths.compactMap { own[standardized($0)] }))
      }, uniquingKeysWith: { first, _ in first })
  }

  private static func standardized(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }

  /// The other modules, without the files of the target.
  private static func rest(
    of modules: [SourceFinder.Module], besides target: SourceFinder.Module
  ) -> [SourceFinder.Module] {
    var names: Set = [target.name]
    let own = Set(target.paths.map(standardized))
    return modules.compactMap { module in
      guard !module.isManifest, names.insert(module.name).inserted else { return nil }
      var module = module
      module.paths.removeAll { own.contains(standardized($0)) }
      return module.paths.isEmpty ? nil : module
    }
  }

  /// The target with the given name, or the only target.
  private static func chosen(
    _ name: String?, in found: [SourceFinder.Module], at path: String
  ) throws(ArgumentError) -> SourceFinder.Module {
    let names = found.map(\.targetName)
    guard let name else {
      if found.count == 1 { return found[0] }
      throw ArgumentError(
        "\(path) has several targets (\(names.joined(separator: ", "))); choose one with --target")
    }
    let named = found.filter { $0.targetName == name }
    guard let target = named.first else {
      throw ArgumentError(
        "\(path) has no target '\(name)'\(Suggestion.text(for: name, in: names)); its targets are "
          + names.joined(separator: ", "))
    }
    guard named.count == 1 else {
      throw ArgumentError(
        "\(path) has several targets with the name '\(name)'; give a folder of one")
    }
    return target
  }

  /// Names the files that other targets also compile, because these targets see the changes.
  private static func warnAboutSharedFiles(
    of target: SourceFinder.Module, in found: [SourceFinder.Module]
  ) {
    for path in target.paths {
      let others = found.filter { $0.name != target.name && $0.paths.contains(path) }
        .map(\.targetName)
      guard !others.isEmpty else { continue }
      print(
        "\(path):1:1: note: \(others.joined(separator: ", ")) also "
          + "\(others.count == 1 ? "compiles" : "compile") this file; build it too")
    }
  }

  /// Reads the index.
  ///
  /// Without an index, it prints the consequences and returns nil.
  private static func index(
    _ store: String?, root: String?, folder: String, files: [SourceFile]
  ) throws -> IndexStore? {
    guard let path = store ?? root.flatMap({ IndexStore.path(inPackage: $0) }) else {
      print("There is no index, so references are found by name: some marks may be missing, and")
      print("others not necessary. 'swift build --build-tests' writes an index.")
      return nil
    }
    var base = URL(fileURLWithPath: root ?? folder)
    if base.pathExtension == "swift" { base.deleteLastPathComponent() }
    let resolved = base.resolvingSymlinksInPath().path
    func absolute(_ path: String) -> String {
      URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
    let index = try IndexStore(
      at: path, filesUnder: resolved, including: files.first.map { absolute($0.path) } ?? "")
    let remedy = "'swift build --build-tests --package-path \(resolved)' writes the index anew"
    for file in files {
      let modified =
        try FileManager.default.attributesOfItem(atPath: absolute(file.path))[.modificationDate]
        as? Date
      guard let indexed = index.files[absolute(file.path)] else {
        throw SourceFileError(path: file.path, message: "the index lacks the file; \(remedy)")
      }
      if let modified, modified > indexed {
        throw SourceFileError(
          path: file.path, message: "the file is newer than the index; \(remedy)")
      }
    }
    if let oldRoot = index.oldRoot {
      print("The index was written for this package in \(oldRoot).")
    }
    return index
  }

  private static func report(_ outcome: Migration.Outcome, isDryRun: Bool) {
    for decision in outcome.decisions {
      print("\(decision.path):\(decision.line):\(decision.column): note: \(decision.message)")
    }
    if !outcome.decisions.isEmpty { print() }
    print(
      """
      marked nonisolated          \(outcome.nonisolatedCount)
      annotations removed         \(outcome.removedCount)
      isolated conformances       \(outcome.conformanceCount)
      marked @concurrent          \(outcome.concurrentCount)
      to decide (listed above)    \(outcome.decisions.count)
      files \(isDryRun ? "that would change    " : "changed              ")  \(outcome.changed.count)

      Now add .defaultIsolation(MainActor.self) to the target's swiftSettings and build it.
      """)
  }
}

extension SourceFinder.Module {
  /// The name without the project or package.
  fileprivate var targetName: String { name.split(separator: ":").last.map(String.init) ?? name }

  /// Whether the module is the package's manifest, or other files outside the targets.
  fileprivate var isManifest: Bool { name.hasSuffix(":") }
}

extension Migration.Users {
  /// The files of a module that can refer to a target, without an index; nil for tests.
  ///
  /// Tests say nothing about the isolation of the code that they call: they can run on the main actor
  /// too.
  ///
  /// - Parameter shared: The files of the target that the module compiles too.
  fileprivate init?(module: Check.Module, of target: String, sharing shared: Set<String>) {
    func imports(_ names: Set<String>, _ file: SourceFile) -> Bool {
      file.facts.map { !$0.imports.isDisjoint(with: names) } ?? false
    }
    guard !module.files.contains(where: { imports(["XCTest", "Testing"], $0) }) else { return nil }
    let name = String(target.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let others = module.files.filter { !imports([name], $0) }
    self.init(
      module: module,
      visible: Dictionary(uniqueKeysWithValues: others.map { ($0.path, shared) }))
  }
}
