import Foundation

/// The result of a check of a module, with what is needed to check only the changes the next time.
struct ModuleRecord: Sendable {
  struct File: Sendable {
    /// The digest of the bytes.
    var content: String
    /// Nil for a file with syntax errors, which gives no types to others.
    var outline: FileOutline?
    /// The types and functions of the module that the check has looked up.
    var lookups: Set<String>
  }

  var files: [String: File]
  /// The isolation of each type that the module declares or extends.
  var isolations: [String: Isolation]
  var report: ModuleReport

  static func digest(of bytes: Data?) -> String {
    guard let bytes else { return "unread" }
    var digest = ContentDigest()
    digest.add(bytes)
    return digest.text
  }
}

/// The stored form, in which each name occurs once.
extension ModuleRecord: Codable {
  private struct Stored: Codable {
    struct File: Codable {
      let path: String
      let content: String
      let head: String?
      let names: [[Int]]
      let texts: [Int]
      let digests: [String]
      let lookups: [Int]
    }

    var names: [String]
    var files: [File]
    var types: [Int]
    var isolations: [Isolation]
    var report: ModuleReport
  }

  func encode(to encoder: any Encoder) throws {
    var names: [String] = []
    var indices: [String: Int] = [:]
    func index(_ name: String) -> Int {
      if let known = indices[name] { return known }
      indices[name] = names.count
      names.append(name)
      return names.count - 1
    }
    let stored = files.sorted { $0.key < $1.key }.map { path, file in
      let texts = (file.outline?.texts ?? [:]).sorted { $0.key < $1.key }
      return Stored.File(
        path: path, content: file.content, head: file.outline?.head,
        names: ModuleNames.all.map { set in
          (file.outline?.names[keyPath: set] ?? []).sorted().map(index)
        },
        texts: texts.map { index($0.key) }, digests: texts.map(\.value),
        lookups: file.lookups.sorted().map(index))
    }
    let types = isolations.sorted { $0.key < $1.key }
    let typeIndices = types.map { index($0.key) }
    try Stored(
      names: names, files: stored, types: typeIndices, isolations: types.map(\.value),
      report: report
    ).encode(to: encoder)
  }

  init(from decoder: any Decoder) throws {
    let stored = try Stored(from: decoder)
    func name(_ index: Int) throws -> String {
      guard stored.names.indices.contains(index) else { throw DecodingError.outside(decoder) }
      return stored.names[index]
    }
    files = [:]
    for file in stored.files {
      guard file.texts.count == file.digests.count, file.names.count == ModuleNames.all.count else {
        throw DecodingError.outside(decoder)
      }
      var outline: FileOutline?
      if let head = file.head {
        var names = ModuleNames()
        for (set, indices) in zip(ModuleNames.all, file.names) {
          names[keyPath: set] = Set(try indices.map(name))
        }
        let texts = try zip(file.texts, file.digests).map { (try name($0), $1) }
        outline = FileOutline(
          head: head, names: names, texts: Dictionary(texts, uniquingKeysWith: { $1 }))
      }
      files[file.path] = File(
        content: file.content, outline: outline, lookups: Set(try file.lookups.map(name)))
    }
    guard stored.types.count == stored.isolations.count else {
      throw DecodingError.outside(decoder)
    }
    let isolations = try zip(stored.types, stored.isolations).map { (try name($0), $1) }
    self.isolations = Dictionary(isolations, uniquingKeysWith: { $1 })
    report = stored.report
  }
}

extension DecodingError {
  fileprivate static func outside(_ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not a record"))
  }
}
