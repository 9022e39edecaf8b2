import Foundation

/// The findings of earlier runs for modules that have not changed, and the records of the last runs
/// for modules that have changed.
struct ModuleCache {
  static let folder = URL(fileURLWithPath: ".build/causeway/.modules")
  /// The number of modules that are kept.
  private static let capacity = 256
  private let entries: [ReportCache]
  private let records: [ReportCache]

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
    records = modules.map { module in
      // One record for each module, whatever its files contain.
      let own = ["record", module.name, module.settings.stableText]
      return ReportCache(
        folder: folder, capacity: ModuleCache.capacity, longest: 64 << 20, words: words + own,
        modules: [], contents: [:])
    }
  }

  /// The record of the last run for the module with an index.
  func record(at index: Int) -> ModuleRecord? {
    records[index].data().flatMap { try? ModuleRecord($0) }
  }

  /// The findings in the module with an index; `nil` if it has changed.
  func report(at index: Int) -> ModuleReport? {
    entries[index].entry().flatMap {
      try? JSONDecoder().decode(ModuleReport.self, from: Data($0.output.utf8))
    }
  }

  /// Stores the records of modules, by their indices.
  func store(_ new: [Int: ModuleRecord]) {
    for (index, record) in new {
      if let data = try? JSONEncoder().encode(record.report) {
        entries[index].write(.init(status: 0, output: String(decoding: data, as: UTF8.self)))
      }
      records[index].write(record.data)
    }
    // All entries are in one folder.
    if !new.isEmpty { entries.first?.removeOldest() }
  }
}
