import Foundation

/// `causeway migrate`.
enum MigrateCommand {
  private static let help = """
    Prepares a module for default isolation to the main actor.

    USAGE: causeway migrate --default-isolation MainActor [TARGET_FOLDER] [OPTIONS]

    Adds 'nonisolated' to declarations that code off the main actor uses, removes '@MainActor' where
    it becomes redundant, replaces '@preconcurrency' conformances by isolated ones, and lists the
    decisions that you have to make. TARGET_FOLDER is the folder of one target, by default the
    current folder.

      --upcoming-feature NonisolatedNonsendingByDefault
                           the target enables this feature too: async functions that must not run
                           on their caller's actor get '@concurrent'
      --index-store PATH   the index of a debug build; by default, the index in the package's .build
      --dry-run            prints the counts and the decisions, and changes no files

    EXIT STATUS: 0 after a migration, 2 if the command could not run.

    """

  static func run(_ words: [String]) throws -> Int32 {
    var paths: [String] = []
    var isolation: String?
    var store: String?
    var addsNonsending = false
    var isDryRun = false
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--default-isolation": isolation = rest.popFirst()
      case "--index-store": store = rest.popFirst()
      case "--upcoming-feature":
        guard rest.popFirst() == "NonisolatedNonsendingByDefault" else {
          throw ArgumentError(
            "the only value of --upcoming-feature is NonisolatedNonsendingByDefault")
        }
        addsNonsending = true
      case "--dry-run": isDryRun = true
      case "--help", "-h":
        print(help, terminator: "")
        return 0
      default:
        guard !word.hasPrefix("-") else {
          throw ArgumentError("there is no option '\(word)'; see causeway migrate --help")
        }
        paths.append(word)
      }
    }
    guard isolation == "MainActor" else {
      throw ArgumentError("'--default-isolation MainActor' is missing; see causeway migrate --help")
    }
    guard paths.count <= 1 else { throw ArgumentError("give the folder of one target") }
    return try migrate(
      paths.first ?? ".", store: store, addsNonsending: addsNonsending, isDryRun: isDryRun)
  }

  private static func migrate(
    _ path: String, store: String?, addsNonsending: Bool, isDryRun: Bool
  ) throws -> Int32 {
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
    let (modules, problems) = check.load(
      [target] + others.filter { $0.name != target.name && !$0.isManifest })
    guard let module = modules.first, problems.isEmpty else {
      throw ArgumentError(problems.map { "\($0.path): \($0.message)" }.joined(separator: "\n"))
    }
    if let broken = module.files.first(where: { !$0.syntaxErrors.isEmpty }) {
      throw SourceFileError(path: broken.path, message: "the file has syntax errors")
    }
    let index = try self.index(store, root: root, folder: path, files: module.files)
    let hasNonsending = module.settings.has("NonisolatedNonsendingByDefault")
    let outcome = Workers.map([0], jobs: 1) { _ in
      Migration(
        module: module, others: Array(modules.dropFirst()), index: index,
        addsNonsending: addsNonsending && !hasNonsending, jobs: jobs
      ).run()
    }[0]
    if !isDryRun {
      FileReplacement.removeLeftovers(besides: module.files.map(\.path))
      for (original, fixed) in outcome.changed {
        try FileReplacement.write(fixed, over: original)
      }
    }
    report(outcome, isDryRun: isDryRun)
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
    let index = try IndexStore(at: path, filesUnder: resolved)
    for file in files {
      let absolute = URL(fileURLWithPath: file.path).resolvingSymlinksInPath().path
      let modified =
        try FileManager.default.attributesOfItem(atPath: absolute)[.modificationDate] as? Date
      guard let indexed = index.files[absolute] else {
        throw SourceFileError(
          path: file.path, message: "the index does not have the file; build the package first")
      }
      if let modified, modified > indexed {
        throw SourceFileError(
          path: file.path, message: "the file is newer than the index; build the package first")
      }
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
