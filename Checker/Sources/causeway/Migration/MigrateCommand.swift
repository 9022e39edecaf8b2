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

      --upcoming-feature NonisolatedNonsendingByDefault
                           the target enables this feature too: async functions that must not run
                           on their caller's actor get '@concurrent'
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
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        let name = parts[0]
        func value(besides other: String? = nil) throws(ArgumentError) -> String {
          guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
            throw ArgumentError("\(name) needs a value")
          }
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
        case "--index-store": store = try value(besides: store)
        case "--upcoming-feature":
          guard try value() == "NonisolatedNonsendingByDefault" else {
            throw ArgumentError("the only value of \(name) is NonisolatedNonsendingByDefault")
          }
          addsNonsending = true
        case "--dry-run" where parts.count == 1: isDryRun = true
        case "--all" where parts.count == 1: scope = .all
        case "--help", "-h": showsHelp = true
        default: throw ArgumentError("there is no option '\(word)'; see causeway migrate --help")
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
    guard let target = found.first else {
      throw ArgumentError(
        all.isEmpty
          ? "there are no Swift files in \(path)"
          : "no target of the package around \(path) has its Swift files")
    }
    guard found.count == 1 else {
      let names = found.map { $0.name.split(separator: ":").last.map(String.init) ?? $0.name }
      throw ArgumentError(
        "\(path) has several targets (\(names.joined(separator: ", "))); name one")
    }
    let root = finder.root(ofModule: target)
    let others = try root.map { try finder.modules(at: [$0]) } ?? []
    let jobs = ProcessInfo.processInfo.activeProcessorCount
    let check = Check(rules: [], jobs: jobs, progress: { _, _ in })
    let loaded = [target] + others.filter { $0.name != target.name && !$0.isManifest }
    let (modules, problems) = check.load(loaded, check.read(loaded))
    guard let module = modules.first, problems.isEmpty else {
      throw ArgumentError(problems.map { "\($0.path): \($0.message)" }.joined(separator: "\n"))
    }
    if let broken = module.files.first(where: { !$0.syntaxErrors.isEmpty }) {
      throw SourceFileError(path: broken.path, message: "the file has syntax errors")
    }
    let index = try self.index(options.store, root: root, folder: path, files: module.files)
    let hasNonsending = module.settings.has("NonisolatedNonsendingByDefault")
    let outcome = Workers.map([0], jobs: 1) { _ in
      Migration(
        module: module, others: Array(modules.dropFirst()), index: index,
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

  /// Reads the index.
  ///
  /// Without an index, it prints the consequences and returns nil.
  private static func index(
    _ store: String?, root: String?, folder: String, files: [SourceFile]
  ) throws -> IndexStore? {
    guard let path = store ?? root.flatMap({ IndexStore.path(inPackage: $0) }) else {
      print("There is no index, so references are found by name, and more declarations than")
      print("necessary stay nonisolated. 'swift build --build-tests' writes an index.")
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
  /// Whether the module is the package's manifest, or other files outside the targets.
  fileprivate var isManifest: Bool { name.hasSuffix(":") }
}
