import Foundation

/// `causeway unused`.
enum UnusedCommand {
  private static let help = """
    Lists the public types that no app uses.

    USAGE: causeway unused GRAPHS --index-store PATH --users FOLDER...

    GRAPHS is a folder with the symbol graphs of the libraries, which 'swift package dump-symbol-graph'
    writes. A type is used if a file of the users refers to it or to a member of it, or if it is in the
    signature of something that is used. The requirements of a used protocol and the cases of a used
    enum are used. Names that are only equal do not count. The files of the users must be built: the
    compiler writes their references to the index.

      --index-store PATH   the index of a debug build with the users
      --users FOLDER       a folder of users; the option can be repeated

    EXIT STATUS: 0 if each type has a user, 1 if some have none, 2 if the command could not run.

    """

  static func run(_ words: [String]) throws -> Int32 {
    var (graphs, users): ([String], [String]) = ([], [])
    var store: String?
    var rest = words[...]
    while let word = rest.popFirst() {
      let option = CommandOption(word)
      switch option.name {
      case "--help", "-h":
        print(help, terminator: "")
        return 0
      case "--index-store": store = try option.value(in: &rest)
      case "--users": users.append(try option.value(in: &rest))
      default:
        if word.hasPrefix("-") {
          let names = ["--index-store", "--users", "--help"]
          throw ArgumentError(
            "there is no option '\(word)'\(Suggestion.text(for: word, in: names))\n\n" + help)
        }
        graphs.append(word)
      }
    }
    guard graphs.count == 1 else { throw ArgumentError("one folder with symbol graphs is needed") }
    guard let store else { throw ArgumentError("--index-store is needed") }
    if users.isEmpty { throw ArgumentError("--users is needed: a folder with an app") }
    var references: Set<String> = []
    for folder in users {
      let found = try self.references(in: folder, store)
      if found.isEmpty {
        throw ArgumentError("the index has no file of \(folder): build it with this index first")
      }
      references.formUnion(found)
    }
    let unused = UnusedTypes(in: try SymbolGraph.all(in: graphs[0]), references: references).names
    for name in unused { print(name) }
    return unused.isEmpty ? 0 : 1
  }

  /// The USRs to which the files of a folder refer.
  private static func references(
    in folder: String, _ store: String
  ) throws(SourceFileError) -> Set<String> {
    let root = URL(fileURLWithPath: folder).standardizedFileURL.path
    let index = try IndexStore(at: store, filesUnder: root, implicit: true)
    return index.references.reduce(into: []) { found, reference in
      // The units of a removed file stay in the index.
      if FileManager.default.fileExists(atPath: reference.key.file) {
        found.formUnion(reference.value)
      }
    }
  }
}
