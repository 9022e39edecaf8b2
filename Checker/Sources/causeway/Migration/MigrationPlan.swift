import SwiftSyntax

/// The declarations that stay nonisolated when a module's default becomes the main actor.
///
/// Code off the main actor needs some of the declarations that it refers to, and the compiler
/// rejects the code if they become main-actor. These declarations stay nonisolated, and so do the
/// declarations that they need. In the wider scope, types that are `Sendable`, encoded or decoded
/// stay nonisolated too, with everything that nonisolated code refers to.
struct MigrationPlan {
  enum Scope { case needed, all }

  /// The units that need the word `nonisolated`.
  private(set) var marked: Set<Int> = []
  /// The units that are nonisolated, whether or not they need the word.
  private(set) var nonisolated: Set<Int> = []
  /// The first use of a class of the main actor in each closure and `deinit` off the main actor.
  ///
  /// A class has state, so a person must decide between a hop to its actor and a lock.
  var hops: [(file: CheckedFile, token: TokenSyntax)] {
    uses.values.filter { !$0.units.isSubset(of: nonisolated) }.map { ($0.file, $0.token) }
  }

  let units: MigrationUnits
  private let files: [CheckedFile]
  private let references: References
  private let scope: Scope
  private var needs: MigrationNeeds
  /// The units that each unit refers to.
  private var edges: [Int: Set<Int>] = [:]
  private var leaving: [SyntaxIdentifier: Bool] = [:]
  private var uses: [SyntaxIdentifier: ClassUse] = [:]
  /// The units that closures off the main actor do not make nonisolated.
  private let classes: Set<Int>
  /// The conformances that each unit may use.
  private var conformances: [Int: Set<MigrationNeeds.Conformance>] = [:]

  /// The use of classes in a closure or a `deinit`.
  private struct ClassUse {
    let file: CheckedFile
    let token: TokenSyntax
    let units: Set<Int>
  }

  /// A file of another module that may refer to the module.
  struct User {
    let file: CheckedFile
    /// The files whose declarations it can use; nil for all.
    let visible: Set<String>?
  }

  /// Finds the declarations that identifiers refer to.
  struct References {
    /// Whether the references come from an index.
    ///
    /// Without an index, they are all declarations with the name.
    let areExact: Bool
    /// The declarations of the module that a token refers to.
    let declarations: (_ token: TokenSyntax, _ source: SourceFile) -> [Syntax]
  }

  /// - Parameters:
  ///   - files: The module's files, with the isolation before the migration.
  init(
    files: [CheckedFile], others: [User], units: MigrationUnits, references: References,
    scope: Scope
  ) {
    self.files = files
    self.units = units
    self.references = references
    self.scope = scope
    needs = MigrationNeeds(
      files: files, others: others.map(\.file), units: units, references: references)
    classes = scope == .all ? [] : units.classes()
    var roots = scope == .all ? rootsByDeclaration() : units.subclassesOffMainActor(in: files)
    var used: Set<MigrationNeeds.Conformance> = []
    for file in files {
      for token in file.source.tree.tokens(viewMode: .sourceAccurate) where token.isName {
        let declarations = references.declarations(token, file.source)
        guard !declarations.isEmpty else { continue }
        let site = file.site(of: token, units)
        if !site.isOff, leavesMainActor(token, in: file) {
          used.formUnion(conformances(of: declarations, by: token))
        }
        switch site {
        case .main: break
        case .off:
          roots.formUnion(targets(declarations, by: token))
          used.formUnion(conformances(of: declarations, by: token))
        case .closure(let index):
          let found = targets(declarations, by: token)
          let objects = found.intersection(classes)
          roots.formUnion(found.subtracting(objects))
          let statements = conformances(of: declarations, by: token)
          used.formUnion(statements.filter { !classes.contains($0.unit) })
          note(objects, at: token, in: file)
          guard let index else { continue }
          edges[index, default: []].formUnion(objects)
          conformances[index, default: []].formUnion(statements)
        case .unit(let index):
          edges[index, default: []].formUnion(targets(declarations, by: token))
          conformances[index, default: []].formUnion(conformances(of: declarations, by: token))
        }
      }
    }
    for other in others where other.visible?.isEmpty != true {
      let file = other.file
      for token in file.source.tree.tokens(viewMode: .sourceAccurate) where token.isName {
        var declarations = references.declarations(token, file.source)
        if let visible = other.visible {
          declarations.removeAll { needs.source(of: $0).map { !visible.contains($0.path) } ?? true }
        }
        guard !declarations.isEmpty, file.isolation(at: token) != .mainActor else { continue }
        roots.formUnion(targets(declarations, by: token))
        used.formUnion(conformances(of: declarations, by: token))
      }
    }
    if scope == .all { addStructuralEdges() } else { addNeededEdges() }
    spread(from: roots, used)
  }

  private mutating func note(_ objects: Set<Int>, at token: TokenSyntax, in file: CheckedFile) {
    let around = token.ancestors.first {
      $0.is(ClosureExprSyntax.self) || $0.is(DeinitializerDeclSyntax.self)
    }
    guard !objects.isEmpty, let around, uses[around.id] == nil else { return }
    uses[around.id] = ClassUse(file: file, token: token, units: objects)
  }

  /// Whether a closure in the declaration around a token runs off the main actor.
  ///
  /// The closure can use a value whose type only the code around it mentions.
  private mutating func leavesMainActor(_ token: TokenSyntax, in file: CheckedFile) -> Bool {
    guard scope == .needed, let around = token.migrationScope else { return false }
    if let known = leaving[around.id] { return known }
    let leaves = around.descendants(ClosureExprSyntax.self).contains {
      file.site(of: $0.statements, units).isOff
    }
    leaving[around.id] = leaves
    return leaves
  }

  /// The units that the user of declarations needs.
  private func targets(_ declarations: [Syntax], by token: TokenSyntax) -> Set<Int> {
    var targets: Set<Int> = []
    for declaration in declarations {
      if scope == .all || needs.isNeeded(declaration, by: token),
        let unit = units.enclosing(declaration)
      {
        targets.insert(unit)
        // A member takes the isolation of the requirement that it satisfies.
        if scope == .needed { targets.formUnion(units.protocols(requiring: declaration, of: unit)) }
      }
      // The caller of a function also uses the types of its signature.
      guard scope == .all, references.areExact, let source = needs.source(of: declaration) else {
        continue
      }
      for type in declaration.signatureTypes {
        targets.formUnion(
          references.declarations(type, source).compactMap { units.enclosing($0) })
      }
    }
    return targets
  }

  private mutating func conformances(
    of declarations: [Syntax], by token: TokenSyntax
  ) -> Set<MigrationNeeds.Conformance> {
    guard scope == .needed else { return [] }
    var found: Set<MigrationNeeds.Conformance> = []
    for declaration in declarations {
      found.formUnion(needs.conformances(of: declaration, by: token))
    }
    return found
  }

  /// The types whose declarations show that other isolations use them.
  private func rootsByDeclaration() -> Set<Int> {
    let words: Set<String> = [
      "Sendable", "Codable", "Encodable", "Decodable", "Error", "LocalizedError", "CodingKey",
    ]
    var roots: Set<Int> = []
    for (index, unit) in units.units.enumerated() {
      guard case .type(let kind) = unit.kind, kind != .actor,
        let name = files[unit.file].types.resolve(unit.name),
        let entry = files[unit.file].types.entries[name], !entry.isolation.isIsolated
      else { continue }
      if files[unit.file].types.conforms(name, to: words) { roots.insert(index) }
      if entry.declarations.contains(where: { $0.modifiers.has(.nonisolated) }) {
        roots.insert(index)
      }
    }
    return roots
  }

  /// Adds edges between related types.
  ///
  /// Extensions and nested types follow their type. Superclasses and protocols follow the types
  /// that inherit from them.
  private mutating func addStructuralEdges() {
    var byName: [String: [Int]] = [:]
    for (index, unit) in units.units.enumerated() {
      guard case .type = unit.kind else { continue }
      let name = files[unit.file].types.resolve(unit.name) ?? unit.name
      byName[name, default: []].append(index)
    }
    for (name, indices) in byName {
      for index in indices { edges[index, default: []].formUnion(indices) }
      guard let types = files.first?.types, let entry = types.entries[name] else { continue }
      let scope = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? ""
      for parent in entry.allInheritedNames {
        guard let full = types.resolve(parent, in: scope), let parents = byName[full] else {
          continue
        }
        for index in indices { edges[index, default: []].formUnion(parents) }
        // A conformance to a protocol that refines Sendable cannot be isolated, and a subclass has
        // the isolation of its superclass. A type of another module, such as Int, can be used
        // everywhere, so its conformance follows the protocol.
        let isClass = types.entries[full]?.kind == .class
        if isClass || entry.kind == nil || types.conforms(full, to: ["Sendable"]) {
          for parent in parents where !entry.isolation.isIsolated {
            edges[parent, default: []].formUnion(indices)
          }
        }
      }
      if let outer = byName[scope], entry.isolation == .nonisolated {
        for index in outer { edges[index, default: []].formUnion(indices) }
      }
    }
    // An actor cannot conform to a main-actor protocol.
    for (index, unit) in units.units.enumerated() {
      if case .type(.actor) = unit.kind { nonisolated.insert(index) }
    }
  }

  /// Adds the edges to units that are nonisolated because of another unit.
  private mutating func addNeededEdges() {
    for (index, unit) in units.units.enumerated() {
      guard case .type(let kind) = unit.kind,
        let group = unit.node.asProtocol((any DeclGroupSyntax).self)
      else { continue }
      let types = files[unit.file].types
      conformances[index, default: []].formUnion(needs.synthesizedUses(of: index))
      // Default isolation does not apply to types inside nonisolated types.
      if !unit.isExtension, let outer = unit.node.parent.flatMap({ units.enclosing($0) }),
        !units.units[outer].isExtension
      {
        edges[outer, default: []].insert(index)
      }
      if !references.areExact { addKin(of: index) }
      // A nonisolated type can satisfy a nonisolated requirement only with a nonisolated member.
      for witness in kind == .protocol ? [] : units.defaultImplementations(for: index) {
        conformances[index, default: []].insert(
          .init(unit: witness.extension, requirement: [witness.protocol]))
      }
      for parent in group.inheritedNames {
        for target in units.types(named: parent) {
          switch units.units[target].kind {
          case .type(.class) where kind == .class:
            edges[index, default: []].insert(target)
            edges[target, default: []].insert(index)
          case .type(.protocol):
            // Types that conform to a nonisolated protocol are nonisolated only if all the protocols
            // that it inherits `Sendable` from are nonisolated too.
            if kind == .protocol, refinesSendable(target) {
              edges[index, default: []].insert(target)
            }
            let isForeign = unit.isExtension && types.resolve(unit.name) == nil
            let isImplicit = !unit.isExtension && kind != .protocol && refinesSendable(target)
            if isForeign || isImplicit { edges[target, default: []].insert(index) }
          default: break
          }
        }
      }
    }
  }

  /// Adds edges from a unit to the declarations that belong to its type.
  ///
  /// Names do not show all uses of a declaration. Code that uses a value can also use the values in
  /// it. Code that uses a type can also use its protocols, and its extensions in the same file.
  private mutating func addKin(of index: Int) {
    let unit = units.units[index]
    guard let group = unit.node.asProtocol((any DeclGroupSyntax).self) else { return }
    if unit.isExtension {
      for part in units.parts(of: index)
      where units.units[part].file == unit.file && !units.isProtocol(part)
        && !classes.contains(part)
      {
        edges[part, default: []].insert(index)
      }
      return
    }
    let isValue = !units.isProtocol(index) && !classes.contains(index) && !isActor(index)
    for target in group.inheritedNames.flatMap({ units.types(named: $0) })
    where units.isProtocol(target) && !isActor(index) {
      edges[index, default: []].insert(target)
      if isValue || units.isProtocol(index) { edges[target, default: []].insert(index) }
    }
    guard !isActor(index), !units.isProtocol(index) || !classes.contains(index) else { return }
    for member in group.memberBlock.members.declarations.map({ Syntax($0) }) {
      guard let source = needs.source(of: member),
        member.hasValues(inProtocol: units.isProtocol(index))
      else { continue }
      for type in member.signatureTypes.flatMap({ references.declarations($0, source) }) {
        guard let target = units.index(of: type), !classes.contains(target) else { continue }
        edges[index, default: []].insert(target)
      }
    }
  }

  private func refinesSendable(_ index: Int) -> Bool {
    let unit = units.units[index]
    let types = files[unit.file].types
    return types.conforms(
      types.resolve(unit.name) ?? unit.name, to: KnownNames.refiningSendable.union(["Sendable"]),
      extensionsToo: false)
  }

  /// The units that were declared nonisolated, and those to which default isolation does not apply,
  /// such as actors.
  private func fixedUnits() -> Set<Int> {
    var fixed: Set<Int> = []
    for (index, unit) in units.units.enumerated() {
      guard case .type = unit.kind, let group = unit.node.asProtocol((any DeclGroupSyntax).self)
      else { continue }
      let outer = unit.node.parent.flatMap { units.enclosing($0) }
      if group.modifiers.has(.nonisolated) || statesSendable(index) || isActor(index)
        || outer.map({ isActor($0) && !unit.isExtension }) == true
      {
        fixed.insert(index)
      }
    }
    return fixed
  }

  /// Whether the declaration of the unit's type states a protocol that refines `Sendable`.
  private func statesSendable(_ index: Int) -> Bool {
    let unit = units.units[index]
    guard case .type(let kind) = unit.kind, kind != .protocol else { return false }
    let types = files[unit.file].types
    guard let name = types.resolve(unit.name), let entry = types.entries[name],
      entry.kind != .actor, entry.kind != .protocol
    else { return false }
    return entry.inheritedNames.contains { parent in
      if types.resolve(parent) == nil { return KnownNames.refiningSendable.contains(parent) }
      return units.types(named: parent).contains {
        units.isProtocol($0) && nonisolated.contains($0) && refinesSendable($0)
      }
    }
  }

  private mutating func spread(
    from roots: Set<Int>, _ used: Set<MigrationNeeds.Conformance>
  ) {
    var waiting = Array(roots.union(nonisolated))
    if scope == .needed { waiting += fixedUnits() }
    nonisolated = []
    var used = used
    repeat {
      while let index = waiting.popLast() {
        guard isCandidate(index) || isActor(index), nonisolated.insert(index).inserted else {
          continue
        }
        waiting += edges[index] ?? []
        used.formUnion(conformances[index] ?? [])
        if scope == .needed, statesSendable(index) { waiting += units.parts(of: index) }
      }
      // The conformance to a protocol of the main actor can be used from everywhere.
      waiting = used.filter { conformance in
        !nonisolated.contains(conformance.unit) && isCandidate(conformance.unit)
          && (conformance.requirement.isEmpty
            || !conformance.requirement.isDisjoint(with: nonisolated))
      }.map(\.unit)
    } while !waiting.isEmpty
    marked = nonisolated.filter { isCandidate($0) && needsWord($0) }
  }

  private func isActor(_ index: Int) -> Bool {
    let unit = units.units[index]
    let name = files[unit.file].types.resolve(unit.name) ?? unit.name
    return files[unit.file].types.entries[name]?.isolation == .actorInstance
  }

  /// Whether the unit was nonisolated before.
  ///
  /// Only such a unit can stay nonisolated.
  private func isCandidate(_ index: Int) -> Bool {
    let unit = units.units[index]
    let file = files[unit.file]
    if let group = unit.node.asProtocol((any DeclGroupSyntax).self) {
      let isolation = file.memberIsolation(in: group)
      return !isolation.isIsolated
    }
    if let function = unit.node.as(FunctionDeclSyntax.self) {
      return Isolation.explicit(
        function.attributes, function.modifiers, globalActors: file.types.globalActors) == nil
    }
    if let variable = unit.node.as(VariableDeclSyntax.self) {
      return Isolation.explicit(
        variable.attributes, variable.modifiers, globalActors: file.types.globalActors) == nil
    }
    return false
  }

  /// Whether default isolation would isolate the unit if it had no `nonisolated`.
  private func needsWord(_ index: Int) -> Bool {
    let unit = units.units[index]
    guard let group = unit.node.asProtocol((any DeclGroupSyntax).self) else { return true }
    if group.modifiers.has(.nonisolated) { return false }
    // The members of a protocol that refines Actor run on the actor. Default isolation does not
    // change this, and `nonisolated` would.
    let name = files[unit.file].types.resolve(unit.name) ?? unit.name
    if files[unit.file].types.conforms(name, to: ["Actor"], extensionsToo: false) { return false }
    // A type inside a nonisolated type is nonisolated too.
    if !unit.isExtension, let outer = unit.node.parent.flatMap({ units.enclosing($0) }),
      !units.units[outer].isExtension, nonisolated.contains(outer) || isActor(outer)
    {
      return false
    }
    if scope == .all { return true }
    return !statesSendable(index) && !inheritsNonisolated(index)
  }

  /// Whether the superclass makes the unit's class nonisolated.
  private func inheritsNonisolated(_ index: Int) -> Bool {
    let unit = units.units[index]
    guard let type = unit.node.as(ClassDeclSyntax.self),
      let parent = type.inheritanceClause?.inheritedTypes.first?.type.simpleName
    else { return false }
    return units.types(named: parent).contains {
      units.units[$0].node.is(ClassDeclSyntax.self) && nonisolated.contains($0)
    }
  }
}
