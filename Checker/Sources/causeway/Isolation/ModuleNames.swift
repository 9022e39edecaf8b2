import SwiftSyntax

/// The names that rules look up in a whole module, without the nodes of its files.
struct ModuleNames: Equatable, Sendable {
  var globalActors: Set<String> = []
  /// The names of types in files that import a UI framework.
  var inUserInterface: Set<String> = []
  /// The names of enum cases that a pattern matches.
  var matchedCases: Set<String> = []
  /// The literals and static members outside `cancel(…)`.
  var effectNames: Set<String> = []
  /// The names of types that call `isKnownUniquelyReferenced`, as their files write them.
  var copyOnWriteTypes: Set<String> = []
  /// The names of types with an object in a local constant, or with an object for only one call.
  var locallyMade: Set<String> = []

  init() {}

  init(_ file: FileFacts) {
    globalActors = Set(
      file.types.filter { $0.attributes.first(named: "globalActor") != nil }.map(\.name))
    if file.importsUserInterface { inUserInterface = file.typeNames }
    matchedCases = file.matchedCases
    effectNames = file.effectNames
    copyOnWriteTypes = file.copyOnWriteTypes
    locallyMade = file.locallyMade
  }

  init(_ parts: some Sequence<ModuleNames>) {
    for part in parts {
      for path in ModuleNames.all { self[keyPath: path].formUnion(part[keyPath: path]) }
    }
  }

  /// The names in `Lookups` of the sets that differ.
  func changes(since other: ModuleNames) -> [String] {
    ModuleNames.all.indices.filter { index in
      let set = ModuleNames.all[index]
      return self[keyPath: set] != other[keyPath: set]
    }.map(ModuleNames.lookup)
  }

  /// The name that stands for a set in `Lookups`.
  static func lookup(_ set: WritableKeyPath<ModuleNames, Set<String>>) -> String {
    lookup(all.firstIndex(of: set) ?? all.endIndex)
  }

  private static func lookup(_ index: Int) -> String { "names \(index)" }

  /// The sets, in the order in which they are stored.
  static var all: [WritableKeyPath<ModuleNames, Set<String>>] {
    [
      \.globalActors, \.inUserInterface, \.matchedCases, \.effectNames, \.copyOnWriteTypes,
      \.locallyMade,
    ]
  }
}

extension FileFacts {
  var importsUserInterface: Bool { !imports.isDisjoint(with: KnownNames.userInterfaceModules) }
}
