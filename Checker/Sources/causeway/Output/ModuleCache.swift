import Foundation

/// The findings of earlier runs, for each module that has not changed since then.
///
/// A change of a file costs only the check of its module.
struct ModuleCache {
  static let folder = URL(fileURLWithPath: ".build/causeway/.modules")
  /// The number of modules that are kept.
  private static let capacity = 256
  private let entries: [ReportCache]

  init(
    folder: URL = ModuleCache.folder, rules: [any Rule.Type], excluded: [String] = [],
    modules: [SourceFinder.Module], contents: Check.Contents
  ) {
    let words = [ReportCache.program] + rules.map { $0.id } + ["excluded"] + excluded
    entries = modules.map { module in
      ReportCache(
        folder: folder, capacity: ModuleCache.capacity, words: words, modules: [module],
        contents: contents)
    }
  }

  /// The findings in the module with an index; `nil` if it has changed.
  func report(at index: Int) -> ModuleReport? {
    entries[index].entry().flatMap {
      try? JSONDecoder().decode(ModuleReport.self, from: Data($0.output.utf8))
    }
  }

  /// Stores the findings in modules, by their indices.
  func store(_ reports: [Int: ModuleReport]) {
    for (index, report) in reports {
      guard let data = try? JSONEncoder().encode(report) else { continue }
      entries[index].write(.init(status: 0, output: String(decoding: data, as: UTF8.self)))
    }
    // All entries are in one folder.
    if !reports.isEmpty { entries.first?.removeOldest() }
  }
}
