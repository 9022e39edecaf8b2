import Foundation

/// The result of a check of a module, and the data for an incremental check after the next change.
struct ModuleRecord: Sendable {
  struct File: Sendable {
    /// The digest of the bytes; nil for a file that could not be read.
    var content: String?
    /// Nil for a file with syntax errors, which gives no types to others.
    var outline: FileOutline?
    /// The names that the check has looked up in the module.
    var lookups: Lookups.Names
  }

  var files: [String: File]
  /// The isolation of each type that the module declares or extends.
  var isolations: [String: Isolation]
  var report: ModuleReport

  /// The names that the rules look up in the whole module.
  var names: ModuleNames { ModuleNames(files.values.compactMap { $0.outline?.names }) }

  /// The folders of the module, if a rule asks about them.
  var folders: FolderGraph { FolderGraph(files.compactMapValues { $0.outline?.folderNames }) }
}

/// The stored form.
extension ModuleRecord {
  private static var folderSets: [WritableKeyPath<FolderNames, Set<String>>] {
    [\.types, \.globals, \.members, \.extensionMembers, \.uses]
  }

  var data: Data {
    var writer = RecordWriter()
    writer.add(files.count)
    for (path, file) in files {
      writer.add(path)
      writer.add(file.content ?? "")
      writer.add(names: file.lookups.texts)
      writer.add(names: file.lookups.heads)
      writer.add(file.outline == nil ? 0 : file.outline?.folderNames == nil ? 1 : 2)
      guard let outline = file.outline else { continue }
      writer.add(outline.importsUserInterface ? 1 : 0)
      writer.add(outline.heads.count)
      for head in outline.heads { writer.add(head) }
      for set in ModuleNames.all { writer.add(names: outline.names[keyPath: set]) }
      writer.add(outline.texts.count)
      for (name, digest) in outline.texts {
        writer.add(name: name)
        writer.add(digest)
      }
      guard let folderNames = outline.folderNames else { continue }
      for set in ModuleRecord.folderSets { writer.add(names: folderNames[keyPath: set]) }
    }
    writer.add(isolations.count)
    for (name, isolation) in isolations {
      writer.add(name: name)
      writer.add(name: isolation.storedText)
    }
    let json = (try? JSONEncoder().encode(report)) ?? Data()
    writer.add(String(decoding: json, as: UTF8.self))
    return writer.data
  }

  /// Reads a stored record.
  ///
  /// - Throws: `RecordReader.Damage` or `DecodingError` if the data is not a record.
  init(_ data: Data) throws {
    var reader = try RecordReader(data)
    files = [:]
    for _ in 0..<(try reader.count()) {
      let path = try reader.text()
      let content = try reader.text()
      let lookups = Lookups.Names(texts: try reader.nameSet(), heads: try reader.nameSet())
      let outline = try ModuleRecord.outline(&reader)
      files[path] = File(
        content: content.isEmpty ? nil : content, outline: outline, lookups: lookups)
    }
    isolations = [:]
    for _ in 0..<(try reader.count()) {
      let name = try reader.name()
      guard let isolation = Isolation(storedText: try reader.name()) else {
        throw RecordReader.Damage()
      }
      isolations[name] = isolation
    }
    report = try JSONDecoder().decode(ModuleReport.self, from: Data(try reader.text().utf8))
  }

  /// The outline of a file; nil if it has none.
  private static func outline(_ reader: inout RecordReader) throws -> FileOutline? {
    let kind = try reader.number()
    guard kind > 0 else { return nil }
    let importsUserInterface = try reader.number() == 1
    var heads: [TypeHead] = []
    for _ in 0..<(try reader.count()) { heads.append(try reader.head()) }
    var names = ModuleNames()
    for set in ModuleNames.all { names[keyPath: set] = try reader.nameSet() }
    var texts: [String: String] = [:]
    for _ in 0..<(try reader.count()) {
      let name = try reader.name()
      texts[name] = try reader.text()
    }
    var outline = FileOutline(
      heads: heads, importsUserInterface: importsUserInterface, names: names, texts: texts)
    if kind > 1 {
      var folderNames = FolderNames()
      for set in folderSets { folderNames[keyPath: set] = try reader.nameSet() }
      outline.folderNames = folderNames
    }
    return outline
  }
}

extension RecordWriter {
  fileprivate mutating func add(_ head: TypeHead) {
    add(head.kind.rawValue)
    add(name: head.name)
    let isolation = head.isolation
    add(
      (head.isLocal ? 1 : 0) + (isolation.isNonisolated ? 2 : 0) + (isolation.isConditional ? 4 : 0)
    )
    add(names: head.inheritedNames)
    add(names: isolation.attributes)
  }
}

extension RecordReader {
  fileprivate mutating func head() throws(Damage) -> TypeHead {
    guard let kind = TypeHead.Kind(rawValue: try number()) else { throw Damage() }
    let name = try name()
    let flags = try number()
    return TypeHead(
      kind: kind, name: name, isLocal: flags & 1 != 0, inheritedNames: try names(),
      isolation: StatedIsolation(
        isNonisolated: flags & 2 != 0, attributes: try names(), isConditional: flags & 4 != 0))
  }
}
