import Foundation

/// Checks again what the changes of some files can affect, and takes the rest from an earlier check.
///
/// A file is checked again if it has changed, or if its check read a type or a function whose text has
/// changed. Only these files and the files of the types that they read are parsed; of the others, the
/// heads of their types are known. If a change affects the types of the module itself, for example
/// their names or what they inherit, the whole module is checked.
struct IncrementalCheck {
  let check: Check
  let module: SourceFinder.Module
  let contents: Check.Contents
  /// The earlier check.
  let record: ModuleRecord

  /// The new record; nil if the whole module has to be checked.
  func run() -> ModuleRecord? {
    let paths = module.paths
    var record = record
    guard Set(paths) == Set(record.files.keys), paths.count == record.files.count else {
      return nil
    }
    let changed = paths.filter {
      ModuleRecord.digest(of: contents[$0]) != record.files[$0]?.content
    }
    guard changed.count * 4 <= paths.count else { return nil }
    var parsed: [String: SourceFile] = [:]
    parse(changed, into: &parsed)
    var changedNames: Set<String> = [Lookups.everything]
    for path in changed {
      guard let file = parsed[path], let facts = file.facts,
        let old = record.files[path]?.outline
      else { return nil }
      let new = FileOutline(file, facts, readsFolders: check.readsFolders)
      guard new.declaresSame(as: old) else { return nil }
      changedNames.formUnion(new.texts.filter { old.texts[$0.key] != $0.value }.keys)
      record.files[path]?.outline = new
      record.files[path]?.content = ModuleRecord.digest(of: contents[path])
    }
    let folders = check.inLayered(record.folders)
    let earlier = check.inLayered(self.record.folders)
    let stale = paths.filter { path in
      changed.contains(path) || folders.uses[path] != earlier.uses[path]
        || record.files[path]?.lookups.isDisjoint(with: changedNames) == false
    }
    guard stale.count * 2 <= paths.count else { return nil }
    return checked(stale, record, folders, &parsed)
  }

  private func checked(
    _ stale: [String], _ old: ModuleRecord, _ folders: FolderGraph,
    _ parsed: inout [String: SourceFile]
  ) -> ModuleRecord {
    var record = old
    var owners: [String: [String]] = [:]
    for (path, file) in record.files {
      guard let outline = file.outline else { continue }
      for name in outline.texts.keys { owners[name, default: []].append(path) }
    }
    let names = ModuleNames(record.files.values.compactMap { $0.outline?.names })
    let known = Set(owners.keys).union([Lookups.everything])
    let heads = heads(in: record)
    var results: [String: ModuleReport.File] = [:]
    var tried = Set(parsed.keys)
    var waiting = stale.filter { !check.isExcluded($0) }
    while !waiting.isEmpty {
      let needed = waiting.flatMap { path -> [String] in
        let lookups = record.files[path]?.lookups ?? []
        if lookups.contains(Lookups.everything) { return module.paths }
        return [path] + lookups.flatMap { owners[$0] ?? [] }
      }
      parse(Set(needed).subtracting(tried).sorted(), into: &parsed)
      tried.formUnion(needed)
      let facts = module.paths.compactMap { parsed[$0]?.facts ?? heads[$0] }
      var types = TypeTable(
        files: facts, settings: module.settings, names: names, isolations: record.isolations)
      types.folders = folders
      let files = waiting.compactMap { parsed[$0] }
      for (file, result) in zip(files, check.results(of: files, types)) {
        results[file.path] = result.file
        record.files[file.path]?.lookups = result.lookups.intersection(known)
      }
      // A changed file can read a type whose files are not parsed yet.
      waiting = waiting.filter { path in
        let lookups = record.files[path]?.lookups ?? []
        if lookups.contains(Lookups.everything) { return tried.count < module.paths.count }
        return lookups.contains { owners[$0]?.contains { !tried.contains($0) } == true }
      }
    }
    record.report = ModuleReport(files: record.report.files.map { results[$0.path] ?? $0 })
    return record
  }

  /// The heads of the types of all files.
  private func heads(in record: ModuleRecord) -> [String: FileFacts] {
    let files = record.files.compactMap { path, file in
      file.outline.map { (path: path, heads: $0.heads) }
    }
    let facts = Workers.map(files, jobs: check.jobs) {
      SourceFile(path: $0.path, text: $0.heads).facts
    }
    return Dictionary(
      uniqueKeysWithValues: zip(files, facts).compactMap { file, facts in
        facts.map { (file.path, $0) }
      })
  }

  private func parse(_ paths: [String], into parsed: inout [String: SourceFile]) {
    let contents = contents
    let files = Workers.map(paths, jobs: check.jobs) { path in
      contents[path].flatMap { try? SourceFile(path: path, bytes: $0) }
    }
    for case let file? in files { parsed[file.path] = file }
  }
}
