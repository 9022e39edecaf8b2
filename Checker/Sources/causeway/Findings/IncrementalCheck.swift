import Foundation

/// Checks the files that a change can affect, and takes the other results from an earlier check.
///
/// A file is checked again if it has changed, or if something has changed that its check has looked
/// up: the head or the text of a type, the text of a function, or a set of names. Only these files
/// are parsed, and the files of the types whose texts they read. For all other files, the record
/// has the heads of their types.
struct IncrementalCheck {
  let check: Check
  let module: SourceFinder.Module
  let contents: Check.Contents
  /// The earlier check.
  let record: ModuleRecord

  /// The new record; nil if the whole module has to be checked.
  ///
  /// - Parameter parsed: Files that are parsed, by path; the check adds others.
  func run(_ parsed: inout [String: SourceFile]) -> ModuleRecord? {
    let paths = Set(module.paths)
    guard paths.count == module.paths.count else { return nil }
    let changed = paths.filter { path in
      record.files[path].map { $0.content != contents[path]?.digest } ?? true
    }
    guard changed.count * 4 <= paths.count else { return nil }
    parse(changed.sorted(), into: &parsed)
    var new = record
    for path in record.files.keys where !paths.contains(path) { new.files[path] = nil }
    for path in changed {
      guard let file = parsed[path] else { return nil }
      new.files[path] = ModuleRecord.File(
        content: contents[path]?.digest,
        outline: file.facts.map { FileOutline(file, $0, readsFolders: check.readsFolders) },
        lookups: record.files[path]?.lookups ?? .init())
    }
    let names = new.names
    let changedNames = changedNames(new, names)
    guard !changedNames.contains(ModuleNames.lookup(\.globalActors)) else { return nil }
    let texts = changedTexts(new).union(changedNames)
    let heads = changedHeads(&new, names)
    let folders = check.inLayered(new.folders)
    let earlierFolders = check.inLayered(record.folders)
    let stale = module.paths.filter { path in
      if changed.contains(path) || folders.uses[path] != earlierFolders.uses[path] { return true }
      guard let lookups = new.files[path]?.lookups else { return true }
      return !lookups.texts.isDisjoint(with: texts) || !lookups.heads.isDisjoint(with: heads)
    }
    guard stale.count * 2 <= paths.count else { return nil }
    return checked(stale, new, names, folders, &parsed)
  }

  /// The sets of names that differ from the old record, by their names in `Lookups`.
  private func changedNames(_ new: ModuleRecord, _ names: ModuleNames) -> [String] {
    let isSame =
      record.files.count == new.files.count
      && new.files.allSatisfy { path, file in
        guard let old = record.files[path] else { return false }
        return old.content == file.content || old.outline?.names == file.outline?.names
      }
    return isSame ? [] : names.changes(since: record.names)
  }

  /// The names of the types and functions whose texts differ from the old record.
  private func changedTexts(_ new: ModuleRecord) -> Set<String> {
    var changed: Set<String> = [Lookups.everything]
    for path in Set(record.files.keys).union(new.files.keys) {
      let old = record.files[path]
      let now = new.files[path]
      if let old, let now, old.content == now.content { continue }
      let oldTexts = old?.outline?.texts ?? [:]
      let newTexts = now?.outline?.texts ?? [:]
      changed.formUnion(oldTexts.keys.filter { newTexts[$0] == nil })
      changed.formUnion(newTexts.keys.filter { oldTexts[$0] != newTexts[$0] })
    }
    return changed
  }

  /// Stores the new isolation of all types in a record; returns the types whose heads differ.
  private func changedHeads(_ new: inout ModuleRecord, _ names: ModuleNames) -> Set<String> {
    let isSame =
      record.files.count == new.files.count
      && new.files.allSatisfy { path, file in
        guard let old = record.files[path] else { return false }
        if old.content == file.content { return true }
        guard let outline = file.outline, let known = old.outline else {
          return file.outline == nil && old.outline == nil
        }
        return outline.declaresSame(as: known)
      }
    if isSame { return [] }
    func table(_ record: ModuleRecord, _ isolations: [String: Isolation]) -> TypeTable {
      let files = record.files.sorted { $0.key < $1.key }.compactMap { $0.value.outline?.types }
      return TypeTable(
        files: files, settings: module.settings, names: names, isolations: isolations)
    }
    let types = table(new, [:])
    new.isolations = types.isolations
    return types.changes(since: table(record, record.isolations))
  }

  private func checked(
    _ stale: [String], _ old: ModuleRecord, _ names: ModuleNames, _ folders: FolderGraph,
    _ parsed: inout [String: SourceFile]
  ) -> ModuleRecord {
    var record = old
    var owners: [String: [String]] = [:]
    for (path, file) in record.files {
      guard let outline = file.outline else { continue }
      for name in outline.texts.keys { owners[name, default: []].append(path) }
    }
    var results = Dictionary(
      record.report.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var tried: Set<String> = []
    var waiting = stale.filter { !check.isExcluded($0) }
    while !waiting.isEmpty {
      let needed = waiting.flatMap { path -> [String] in
        let texts = record.files[path]?.lookups.texts ?? []
        if texts.contains(Lookups.everything) { return module.paths }
        return [path] + texts.flatMap { owners[$0] ?? [] }
      }
      parse(Set(needed).subtracting(tried).sorted(), into: &parsed)
      tried.formUnion(needed)
      let all = module.paths.compactMap { path in
        parsed[path]?.facts.map { FileTypes($0) } ?? record.files[path]?.outline?.types
      }
      var types = TypeTable(
        files: all, settings: module.settings, names: names, isolations: record.isolations)
      types.folders = folders
      let files = waiting.compactMap { parsed[$0] }
      for (file, result) in zip(files, check.results(of: files, types)) {
        results[file.path] = result.file
        record.files[file.path]?.lookups = result.lookups
      }
      // A changed file can read a type whose files are not parsed yet.
      waiting = waiting.filter { path in
        let texts = record.files[path]?.lookups.texts ?? []
        if texts.contains(Lookups.everything) { return tried.count < module.paths.count }
        return texts.contains { owners[$0]?.contains { !tried.contains($0) } == true }
      }
    }
    record.report = ModuleReport(
      files: module.paths.filter { !check.isExcluded($0) }.compactMap { results[$0] })
    return record
  }

  private func parse(_ paths: [String], into parsed: inout [String: SourceFile]) {
    let contents = contents
    let files = Workers.map(paths.filter { parsed[$0] == nil }, jobs: check.jobs) { path in
      contents[path].flatMap { try? SourceFile(path: path, bytes: $0.bytes) }
    }
    for case let file? in files { parsed[file.path] = file }
  }
}
