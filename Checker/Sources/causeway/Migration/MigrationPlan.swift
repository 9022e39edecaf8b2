import SwiftSyntax

/// The declarations that stay nonisolated when a module's default becomes the main actor.
///
/// A declaration stays nonisolated if it is `Sendable`, if it is encoded or decoded, or if code off
/// the main actor refers to it. Declarations that a nonisolated declaration refers to stay
/// nonisolated too.
struct MigrationPlan {
  /// The units that need the word `nonisolated`.
  private(set) var marked: Set<Int> = []
  /// The units that are nonisolated, whether or not they need the word.
  private(set) var nonisolated: Set<Int> = []

  let units: MigrationUnits
  private let files: [CheckedFile]
  private let references: References
  /// The units that each unit refers to.
  private var edges: [Int: Set<Int>] = [:]

  /// Finds the declarations that identifiers refer to.
  struct References {
    /// The units of the module that a token refers to: by the index, or by name if there is no
    /// index.
    let targets: (_ token: TokenSyntax, _ source: SourceFile) -> [Int]
    /// The declarations that a token refers to.
    ///
    /// The plan reads their signatures.
    let declarations: (_ token: TokenSyntax, _ source: SourceFile) -> [Syntax]
  }

  /// - Parameters:
  /// - files: The module's files, with the isolation before the migration.
  ///   - others: Files of other modules that may refer to the module.
  init(
    files: [CheckedFile], others: [CheckedFile], units: MigrationUnits, references: References
  ) {
    self.files = files
    self.units = units
    self.references = references
    var roots = rootsByDeclaration()
    for file in files {
      for token in file.source.tree.tokens(viewMode: .sourceAccurate) where token.isName {
        let targets = targets(of: token, in: file)
        guard !targets.isEmpty else { continue }
        switch file.site(of: token, units) {
        case .main: break
        case .off: roots.formUnion(targets)
        case .unit(let index): edges[index, default: []].formUnion(targets)
        }
      }
    }
    for file in others {
      for token in file.source.tree.tokens(viewMode: .sourceAccurate) where token.isName {
        let targets = targets(of: token, in: file)
        if !targets.isEmpty, file.isolation(at: token) != .mainActor { roots.formUnion(targets) }
      }
    }
    addStructuralEdges()
    spread(from: roots)
  }

  private func targets(of token: TokenSyntax, in file: CheckedFile) -> Set<Int> {
    var targets = Set(references.targets(token, file.source))
    // The caller of a function also uses the types of its signature.
    for declaration in references.declarations(token, file.source) {
      for type in declaration.signatureTypes {
        targets.formUnion(references.targets(type, fileOf(declaration) ?? file.source))
      }
    }
    return targets
  }

  private func fileOf(_ node: Syntax) -> SourceFile? {
    let root = node.root.id
    return files.first { Syntax($0.source.tree).id == root }?.source
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

  private mutating func spread(from roots: Set<Int>) {
    var waiting = Array(roots.union(nonisolated))
    nonisolated = []
    while let index = waiting.popLast() {
      guard isCandidate(index) || isActor(index), nonisolated.insert(index).inserted else {
        continue
      }
      waiting += edges[index] ?? []
    }
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
    if !unit.isExtension, let outer = unit.node.parent.flatMap({ units.enclosing($0) }) {
      return !nonisolated.contains(outer) && !isActor(outer)
    }
    return true
  }
}

extension TokenSyntax {
  /// Whether the token can name a declaration of the module.
  fileprivate var isName: Bool {
    if case .identifier = tokenKind { return !isDeclaredName }
    return tokenKind == .keyword(.`init`)
  }

  private var isDeclaredName: Bool {
    guard let parent else { return false }
    switch parent.kind {
    case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .functionDecl,
      .identifierPattern, .functionParameter, .enumCaseElement, .labeledExpr, .importPathComponent,
      .genericParameter, .typeAliasDecl, .associatedTypeDecl:
      return true
    default: return false
    }
  }
}

extension Syntax {
  /// The names of types in the signature of a function, initializer, variable or subscript.
  fileprivate var signatureTypes: [TokenSyntax] {
    var parts: [Syntax] = []
    if let function = self.as(FunctionDeclSyntax.self) {
      parts.append(Syntax(function.signature))
    } else if let initializer = self.as(InitializerDeclSyntax.self) {
      parts.append(Syntax(initializer.signature))
    } else if let variable = self.as(VariableDeclSyntax.self) {
      parts += variable.bindings.compactMap { $0.typeAnnotation.map { Syntax($0) } }
    }
    return parts.flatMap { $0.descendants(IdentifierTypeSyntax.self).map(\.name) }
  }
}
