import SwiftSyntax

extension MigrationUnits {
  /// The classes with their extensions, and the protocols to which only classes conform.
  func classes() -> Set<Int> {
    var found: Set<Int> = []
    var conforming: [Int: [Int]] = [:]
    for (index, unit) in units.enumerated() {
      guard let group = unit.node.asProtocol((any DeclGroupSyntax).self) else { continue }
      if parts(of: index).contains(where: { units[$0].node.is(ClassDeclSyntax.self) }) {
        found.insert(index)
      }
      for parent in group.inheritedNames {
        for target in types(named: parent) where isProtocol(target) && !isProtocol(index) {
          conforming[target, default: []].append(index)
        }
        if isProtocol(index), parent == "AnyObject" { found.insert(index) }
      }
    }
    for (target, types) in conforming where types.allSatisfy(found.contains) {
      found.formUnion(parts(of: target))
    }
    return found
  }

  /// The subclasses of other modules' classes that are not on the main actor.
  ///
  /// A subclass on the main actor could not override their members. Only `NSObject` permits it.
  func subclassesOffMainActor(in files: [CheckedFile]) -> Set<Int> {
    let aliases = Set(files.flatMap { $0.facts.aliases.map(\.name.text) })
    return Set(
      units.indices.filter { index in
        guard let type = units[index].node.as(ClassDeclSyntax.self),
          let parent = type.inheritanceClause?.inheritedTypes.first?.type.simpleName,
          types(named: parent).isEmpty, !aliases.contains(parent)
        else { return false }
        return KnownNames.isClassOffMainActor(parent)
      })
  }
}
