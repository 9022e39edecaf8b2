/// The uses between the folders of a module.
///
/// The folders are those directly in the folder of the module, with everything inside of them. A use
/// counts if exactly one other folder declares the name.
struct FolderGraph: Sendable {
  /// A use that closes a cycle of folders.
  struct Use: Equatable, Sendable {
    let name: String
    /// The folder that declares the name.
    let folder: String
    /// Why that folder depends on the folder of the use.
    let reason: String
  }

  private struct Edge: Hashable {
    let from: String
    let to: String
  }

  /// The uses to remove, by the path of their file.
  private(set) var uses: [String: [Use]] = [:]
  private let root: [Substring]
  /// The uses of each edge.
  private var edges: [Edge: [(path: String, name: String)]] = [:]

  init() { root = [] }

  /// - Parameter files: The names of all files of a module, by path.
  init(_ files: [String: FolderNames]) {
    let folders = files.keys.map { $0.split(separator: "/").dropLast() }
    root = folders.dropFirst().reduce(folders.first.map(Array.init) ?? []) { common, folder in
      zip(common, folder).prefix { $0 == $1 }.map(\.0)
    }
    guard Set(files.keys.map(folder(of:))).count > 1 else { return }
    let declarations = Declarations(files.map { (folder(of: $0.key), $0.value) })
    for (path, names) in files.sorted(by: { $0.key < $1.key }) {
      let own = folder(of: path)
      for name in names.uses.sorted() {
        guard let other = declarations.folder(of: name), other != own else { continue }
        edges[Edge(from: own, to: other), default: []].append((path, name))
      }
    }
    findCycles()
  }

  /// The graph with the uses to remove in some files.
  func filter(_ isIncluded: (_ path: String) -> Bool) -> FolderGraph {
    var graph = self
    graph.uses = uses.filter { isIncluded($0.key) }
    return graph
  }

  /// The folder in the module; `.` for a file outside the module's folders.
  private func folder(of path: String) -> String {
    path.split(separator: "/").dropLast().dropFirst(root.count).first.map(String.init) ?? "."
  }

  /// Removes the edge with the fewest uses from the cycles, until there is no cycle.
  private mutating func findCycles() {
    var graph = Graph(edges.keys.map { ($0.from, $0.to) })
    let whole = graph
    while let cyclic = graph.cyclicEdges().map({ Edge(from: $0.from, to: $0.to) })
      .min(by: { left, right in
        (edges[left]?.count ?? 0, left.from, left.to)
          < (edges[right]?.count ?? 0, right.from, right.to)
      })
    {
      graph.remove(from: cyclic.from, to: cyclic.to)
      let path = whole.path(from: cyclic.to, to: cyclic.from)
      let reason = zip(path, path.dropFirst()).map { from, to in
        let use = edges[Edge(from: from, to: to)]?.first
        let name = use.map { FolderGraph.shown($0.name) } ?? ""
        return "'\(from)' uses '\(name)' of '\(to)' in \(use?.path ?? "")"
      }.joined(separator: ", and ")
      for use in edges[cyclic] ?? [] {
        uses[use.path, default: []].append(Use(name: use.name, folder: cyclic.to, reason: reason))
      }
    }
  }

  /// A name as in the code, without the label.
  static func shown(_ name: String) -> String {
    let name = name.prefix { $0 != "(" }.split(separator: "|").last ?? ""
    return String(name.hasPrefix(".") ? name.dropFirst() : name)
  }
}

/// The folders that declare each name of a module.
private struct Declarations {
  private var types: [String: Set<String>] = [:]
  private var globals: [String: Set<String>] = [:]
  private var members: [String: Set<String>] = [:]
  /// The folders that declare a member with the name, in any type.
  private var byLastName: [String: Set<String>] = [:]
  /// The members that an extension adds to a type of another folder or module.
  private var added: Set<String> = []

  init(_ files: [(folder: String, names: FolderNames)]) {
    for (folder, names) in files {
      for name in names.types { types[name, default: []].insert(folder) }
      for name in names.globals { globals[name, default: []].insert(folder) }
      for name in names.members {
        members[name, default: []].insert(folder)
        byLastName[Declarations.parts(name).member, default: []].insert(folder)
      }
    }
    for (folder, names) in files {
      for name in names.extensionMembers {
        let (type, member) = Declarations.parts(name)
        let outermost = type.prefix { $0 != "." }
        if types[String(outermost)] != [folder] { added.insert(member) }
      }
    }
  }

  /// The type and the member in `Type.member(label:`.
  private static func parts(_ name: String) -> (type: Substring, member: String) {
    let end = name.firstIndex(of: "(") ?? name.endIndex
    guard let dot = name[..<end].lastIndex(of: ".") else { return ("", name) }
    return (name[..<dot], String(name[name.index(after: dot)...]))
  }

  /// The only folder that declares a used name.
  func folder(of use: String) -> String? {
    let found: Set<String>?
    let parts = use.split(separator: "|", maxSplits: 1).map(String.init)
    if parts.count == 2 {
      found = type(parts[1], inside: parts[0])
    } else if use.hasPrefix(".") {
      let member = String(use.dropFirst())
      found = added.contains(member) ? byLastName[member] : nil
    } else if use.contains(".") {
      found = members[use]
    } else {
      found = types[use] ?? globals[use]
    }
    return found?.count == 1 ? found?.first : nil
  }
  /// The folders that declare a type by the name that it has inside another type.
  private func type(_ name: String, inside scope: String) -> Set<String>? {
    var scope = scope[...]
    while !scope.isEmpty {
      if let nested = members["\(scope).\(name)"] { return nested }
      scope = scope.lastIndex(of: ".").map { scope[..<$0] } ?? ""
    }
    return types[name]
  }
}
