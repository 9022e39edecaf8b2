/// The findings in the files of one module.
///
/// It depends only on the files of the module, its settings and the rules, so it can be kept while
/// these do not change.
struct ModuleReport: Sendable {
  struct File: Codable, Sendable {
    let path: String
    var findings: [Finding] = []
    var problems: [Check.Problem] = []
    var ignoredCount = 0

    fileprivate var isClean: Bool { findings.isEmpty && problems.isEmpty && ignoredCount == 0 }
  }

  /// Sorted by path.
  let files: [File]
}

/// The stored form; for most files it has only the path.
extension ModuleReport: Codable {
  private enum Key: CodingKey { case clean, others }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let clean = try container.decode([String].self, forKey: .clean)
    let others = try container.decode([File].self, forKey: .others)
    files = (clean.map { File(path: $0) } + others).sorted { $0.path < $1.path }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(files.filter(\.isClean).map(\.path), forKey: .clean)
    try container.encode(files.filter { !$0.isClean }, forKey: .others)
  }
}
