import SwiftSyntax

/// The types and functions of all files of a module.
struct TypeTable: Sendable {
  /// A type with its extensions; without declarations if another module declares the type.
  ///
  /// If a check reads more than the heads of the declarations, the entry notes the type's name.
  struct Entry: Sendable {
    /// A declaration or an extension; without its node if its file is not parsed.
    fileprivate struct Part: Sendable {
      let head: TypeHead
      let node: DeclaredType?
    }

    fileprivate var own: [Part] = []
    fileprivate var extensions: [Part] = []
    fileprivate var reader: (name: String, lookups: Lookups)?
    /// Whether a file with a declaration of the type imports a UI framework.
    var importsUserInterface = false
    var isolation: Isolation = .unknown

    fileprivate func noteMembers() {
      if let reader { reader.lookups.note(text: reader.name) }
    }

    var declarations: [DeclaredType] {
      noteMembers()
      return own.compactMap(\.node)
    }
    var kind: TypeHead.Kind? { own.first?.head.kind }
    /// The inherited names that the declarations state, without extensions.
    var inheritedNames: [String] { own.flatMap(\.head.inheritedNames) }
    /// The inherited names that declarations and extensions state.
    var allInheritedNames: [String] {
      inheritedNames + extensions.flatMap(\.head.inheritedNames)
    }
    var everyMember: [MemberBlockItemSyntax] {
      noteMembers()
      return (own + extensions).flatMap { $0.node.map { Array($0.members) } ?? [] }
    }
    /// The stored instance variables of the declarations.
    var storedVariables: [VariableDeclSyntax] {
      var found: [VariableDeclSyntax] = []
      for declaration in declarations {
        for member in declaration.members {
          guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
          if variable.isStored, !variable.modifiers.isStatic { found.append(variable) }
        }
      }
      return found
    }
    var isReferenceType: Bool { kind == .class || kind == .actor }

    fileprivate func looks(like other: Entry) -> Bool {
      isolation == other.isolation && importsUserInterface == other.importsUserInterface
        && own.map(\.head) == other.own.map(\.head)
        && extensions.map(\.head) == other.extensions.map(\.head)
    }
  }

  /// The types by name.
  ///
  /// `lookups` records each name that a check looks up.
  struct Entries: Sendable {
    fileprivate(set) var all: [String: Entry] = [:]
    fileprivate var lookups: Lookups?

    subscript(name: String) -> Entry? {
      lookups?.note(head: name)
      guard var entry = all[name] else { return nil }
      entry.reader = lookups.map { (name: name, lookups: $0) }
      return entry
    }

    func filter(_ isIncluded: (String, Entry) -> Bool) -> [String: Entry] {
      lookups?.note(text: Lookups.everything)
      return all.filter { isIncluded($0.key, $0.value) }
    }

    fileprivate func declares(_ name: String) -> Bool {
      lookups?.note(head: name)
      return all[name]?.own.isEmpty == false
    }
  }

  let settings: BuildSettings
  private let names: ModuleNames
  private(set) var entries = Entries()
  /// The folders of the module, if a rule asks about them.
  var folders = FolderGraph()
  private var freeFunctions: [String: [FunctionDeclSyntax]] = [:]

  /// Another set of global actors affects the whole module.
  var globalActors: Set<String> { names.globalActors }
  var namesInUserInterface: Set<String> { noted(\.inUserInterface) }
  var matchedCases: Set<String> { noted(\.matchedCases) }
  var effectNames: Set<String> { noted(\.effectNames) }
  var copyOnWriteTypes: Set<String> { noted(\.copyOnWriteTypes) }

  private func noted(_ set: WritableKeyPath<ModuleNames, Set<String>>) -> Set<String> {
    entries.lookups?.note(text: ModuleNames.lookup(set))
    return names[keyPath: set]
  }

  init(files: [FileFacts], settings: BuildSettings) {
    self.init(
      files: files.map { FileTypes($0) }, settings: settings,
      names: ModuleNames(files.map(ModuleNames.init)), isolations: [:])
  }

  /// - Parameters:
  ///   - files: All files of the module.
  ///   - isolations: The isolation of types, as far as it is known.
  init(
    files: [FileTypes], settings: BuildSettings, names: ModuleNames,
    isolations: [String: Isolation]
  ) {
    self.settings = settings
    self.names = names
    var found: [String: Entry] = [:]
    for file in files {
      for (index, head) in file.heads.enumerated() where head.kind != .extension {
        let part = Entry.Part(head: head, node: file.facts?.types[index])
        found[head.name, default: Entry()].own.append(part)
        if file.importsUserInterface { found[head.name]?.importsUserInterface = true }
      }
      for function in file.facts?.functions ?? [] where function.isOutsideTypes {
        freeFunctions[function.name.text, default: []].append(function)
      }
    }
    entries.all = found
    for file in files {
      for (index, head) in file.heads.enumerated() where head.kind == .extension {
        let part = Entry.Part(head: head, node: file.facts?.types[index])
        entries.all[resolve(head.name) ?? head.name, default: Entry()].extensions.append(part)
      }
    }
    var known = isolations
    for name in Array(entries.all.keys) {
      let isolation = isolation(ofType: name, known: &known, visiting: [])
      entries.all[name]?.isolation = isolation
    }
  }

  /// The isolation of each type.
  var isolations: [String: Isolation] { entries.all.mapValues(\.isolation) }

  /// The names of the types whose parts for other files differ from an earlier table.
  ///
  /// A changed text of a member does not count.
  func changes(since earlier: TypeTable) -> Set<String> {
    Set(entries.all.keys).union(earlier.entries.all.keys).filter { name in
      switch (entries.all[name], earlier.entries.all[name]) {
      case (let new?, let old?): !new.looks(like: old)
      default: true
      }
    }
  }

  /// The table, with a record of the names that a check looks up.
  func noting(_ lookups: Lookups) -> TypeTable {
    var copy = self
    copy.entries.lookups = lookups
    return copy
  }

  /// The full name of the type that a name refers to inside another type; nil if the module does
  /// not declare it.
  ///
  /// An extension does not declare a type. With `extension View`, `View` is still SwiftUI's.
  func resolve(_ name: String, in scope: String = "") -> String? {
    var scope = scope
    while !scope.isEmpty {
      let candidate = scope + "." + name
      if entries.declares(candidate) { return candidate }
      scope = scope.lastIndex(of: ".").map { String(scope[..<$0]) } ?? ""
    }
    return entries.declares(name) ? name : nil
  }

  /// The type that a name refers to inside another type; nil if the module does not declare it.
  func type(_ name: String, in scope: String = "") -> Entry? {
    resolve(name, in: scope).flatMap { entries[$0] }
  }

  /// The module's functions with this name outside types.
  func functions(named name: String) -> [FunctionDeclSyntax] {
    entries.lookups?.note(text: Lookups.function(name))
    return freeFunctions[name] ?? []
  }

  /// Whether a function of the module makes an object of a type and keeps it in a local constant.
  func isMadeLocally(_ name: String) -> Bool {
    noted(\.locallyMade).contains(name.split(separator: ".").last.map(String.init) ?? name)
  }

  /// The superclass of a type, if the module declares it.
  func superclass(of name: String) -> String? {
    guard let entry = entries[name], entry.kind == .class,
      let first = entry.inheritedNames.first, let resolved = resolve(first, in: outer(name)),
      entries[resolved]?.kind == .class
    else { return nil }
    return resolved
  }

  private func outer(_ name: String) -> String {
    name.lastIndex(of: ".").map { String(name[..<$0]) } ?? ""
  }

  /// The language of the root class of a class.
  func root(of name: String) -> ClassRoot {
    var name = name
    var visited: Set<String> = []
    while visited.insert(name).inserted, let parent = superclass(of: name) { name = parent }
    guard let first = entries[name]?.inheritedNames.first else {
      return entries[name]?.kind == nil ? .unknown : .swift
    }
    if let parent = resolve(first, in: outer(name)) {
      // The first name is a protocol. Only a protocol for Objective-C classes requires a
      // superclass.
      return conforms(parent, to: ["NSObjectProtocol"]) ? .unknown : .swift
    }
    if first == "NSObject" || KnownNames.isMainActorClass(first) { return .objectiveC }
    let isProtocol = KnownNames.neutralProtocols.contains(first) && first != "NSObjectProtocol"
    return isProtocol || KnownNames.refiningSendable.contains(first) ? .swift : .unknown
  }

  /// Whether a type conforms to a protocol, directly or through a protocol or class of the module.
  func conforms(_ name: String, to wanted: Set<String>, extensionsToo: Bool = true) -> Bool {
    var visited: Set<String> = []
    func search(_ name: String) -> Bool {
      guard visited.insert(name).inserted, let entry = entries[name] else { return false }
      let inherited = extensionsToo ? entry.allInheritedNames : entry.inheritedNames
      return inherited.contains { parent in
        if let full = resolve(parent, in: outer(name)) { return search(full) }
        // An extension in this module can add a conformance to a type of another module.
        return wanted.contains(parent) || search(parent)
      }
    }
    return search(name)
  }

  private func isolation(
    ofType name: String, known: inout [String: Isolation], visiting: Set<String>
  ) -> Isolation {
    if let isolation = known[name] { return isolation }
    guard !visiting.contains(name), let entry = entries[name], let kind = entry.kind else {
      return .unknown
    }
    let stated = entry.own.map { $0.head.isolation.isolation(globalActors: globalActors) }
    // Declarations with the same name can differ, in branches of `#if` or if they are private.
    if stated.contains(where: { $0 != stated[0] }) || Set(entry.own.map(\.head.kind)).count > 1 {
      known[name] = .unknown
      return .unknown
    }
    var result: Isolation
    if let explicit = stated[0] {
      result = explicit
    } else if kind == .actor {
      result = .actorInstance
    } else {
      result = inferred(name, entry, kind, known: &known, visiting: visiting.union([name]))
    }
    known[name] = result
    return result
  }

  private func inferred(
    _ name: String, _ entry: Entry, _ kind: TypeHead.Kind,
    known: inout [String: Isolation], visiting: Set<String>
  ) -> Isolation {
    var isUncertain = false
    var staysNonisolated = false
    for (index, parent) in entry.inheritedNames.enumerated() {
      if let full = resolve(parent, in: outer(name)) {
        let isolation = isolation(ofType: full, known: &known, visiting: visiting)
        switch isolation {
        case .mainActor, .globalActor: return isolation
        case .nonisolated where entries[full]?.kind == .class: return .nonisolated
        case .unknown: isUncertain = true
        default: break
        }
        if conforms(full, to: KnownNames.refiningSendable.union(["Sendable"])),
          isolation == .nonisolated
        {
          staysNonisolated = true
        }
      } else if KnownNames.isMainActor(
        parent, importsUserInterface: entry.importsUserInterface)
      {
        return .mainActor
      } else if KnownNames.refiningSendable.contains(parent) {
        staysNonisolated = true
      } else if !KnownNames.neutralProtocols.contains(parent) {
        // The parent is from another module. The first parent may be a class, which decides the
        // isolation. Under default isolation, a protocol may decide it too.
        isUncertain = isUncertain || index == 0 || settings.defaultIsolation != .nonisolated
      }
    }
    guard settings.defaultIsolation != .nonisolated, kind != .actor else {
      return isUncertain ? .unknown : .nonisolated
    }
    if staysNonisolated { return .nonisolated }
    if isUncertain { return .unknown }
    let isKnown = settings.defaultIsolation == .mainActor
    // Default isolation does not apply inside actors, nonisolated types and nonisolated functions.
    let enclosing = outer(name)
    if !enclosing.isEmpty, entries[enclosing] != nil {
      let around = isolation(ofType: enclosing, known: &known, visiting: visiting)
      if around == .mainActor { return isKnown ? .mainActor : .unknown }
      return around == .unknown ? .unknown : .nonisolated
    }
    return !isKnown || entry.own.contains { $0.head.isLocal } ? .unknown : .mainActor
  }
}

/// The language of the root class of a class.
enum ClassRoot {
  case swift
  /// `NSObject`, or another class of Objective-C.
  case objectiveC
  /// Another module declares a superclass.
  case unknown
}

extension FunctionDeclSyntax {
  /// Whether the function is at the top level of its file.
  var isOutsideTypes: Bool { parent?.is(CodeBlockItemSyntax.self) == true }
}
