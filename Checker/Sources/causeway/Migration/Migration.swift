import Foundation
import SwiftSyntax

/// Rewrites a module for default isolation to the main actor.
struct Migration: Sendable {
  /// The changes of the migration, and the decisions that it leaves to a person.
  struct Outcome: Sendable {
    var changed: [(original: SourceFile, fixed: SourceFile)] = []
    var nonisolatedCount = 0
    var removedCount = 0
    var concurrentCount = 0
    var conformanceCount = 0
    var decisions: [Decision] = []
  }

  struct Decision: Equatable, Sendable {
    let path: String
    let line: Int
    let column: Int
    let message: String
  }

  /// The files of another module, which can refer to the migrated module.
  struct Users: Sendable {
    let module: Check.Module
    /// The files of the migrated module that a file can refer to, by path; without an entry, all.
    var visible: [String: Set<String>] = [:]
  }

  let module: Check.Module
  let others: [Users]
  let index: IndexStore?
  /// Whether the migration adds `NonisolatedNonsendingByDefault` to the module.
  let addsNonsending: Bool
  /// Whether only declarations that other code needs stay nonisolated.
  var scope = MigrationPlan.Scope.needed
  let jobs: Int

  func run() -> Outcome {
    var before = module.settings
    before.defaultIsolation = .nonisolated
    let files = Migration.checked(Check.Module(settings: before, files: module.files))
    let users = others.flatMap { other in
      Migration.checked(other.module).map { file in
        MigrationPlan.User(file: file, visible: other.visible[file.source.path])
      }
    }
    let otherFiles = users.map(\.file)
    let units = MigrationUnits(files, areExact: index != nil)
    let plan = MigrationPlan(
      files: files, others: users, units: units,
      references: references(files, otherFiles, units), scope: scope)
    var outcome = Outcome()
    outcome.nonisolatedCount = plan.marked.count
    var edits: [String: [Edit]] = [:]
    for unit in plan.marked.map({ units.units[$0] }) {
      guard let offset = unit.insertionOffset else {
        outcome.nonisolatedCount -= 1
        outcome.decisions.append(
          decision(
            at: unit.node, in: files[unit.file].source,
            "the variable '\(unit.name)' is used off the main actor; protect it or isolate its users"
          ))
        continue
      }
      let file = files[unit.file].source
      edits[file.path, default: []].append(
        Edit(range: offset..<offset, replacement: "nonisolated "))
    }
    addConformances(files, plan, &edits, &outcome)
    addInitializers(files, plan, &edits)
    if addsNonsending { addConcurrent(files, plan, &edits, &outcome) }
    decide(files, plan, &outcome)
    rewrite(edits, &outcome)
    return outcome
  }

  private static func checked(_ module: Check.Module) -> [CheckedFile] {
    let types = TypeTable(files: module.files.compactMap(\.facts), settings: module.settings)
    return module.files.compactMap { file in
      file.facts.map { CheckedFile(source: file, facts: $0, types: types) }
    }
  }

  private func references(
    _ files: [CheckedFile], _ otherFiles: [CheckedFile], _ units: MigrationUnits
  ) -> MigrationPlan.References {
    guard let index else {
      let names = NameReferences(files, others: otherFiles, units)
      return .init(areExact: false) { names.declarations(of: $0, in: $1) }
    }
    let paths = Dictionary(
      files.map { (absolute($0.source.path), $0) }, uniquingKeysWith: { first, _ in first })
    let absolutePaths = Dictionary(
      (module.files + others.flatMap(\.module.files)).map { ($0.path, absolute($0.path)) },
      uniquingKeysWith: { first, _ in first })
    return .init(areExact: true) { token, source in
      if let segment = token.interpolation { return units.interpolations(for: segment) }
      let place = source.location(of: token.start)
      let occurrence = IndexStore.Occurrence(
        file: absolutePaths[source.path] ?? source.path, line: place.line, column: place.column)
      return (index.references[occurrence] ?? []).sorted().compactMap { usr in
        guard let definition = index.definitions[usr], let file = paths[definition.file] else {
          return nil
        }
        return file.source.declaration(line: definition.line, column: definition.column)
      }
    }
  }

  private func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// Replaces `@preconcurrency P` by `@MainActor P` where the compiler can check it.
  private func addConformances(
    _ files: [CheckedFile], _ plan: MigrationPlan, _ edits: inout [String: [Edit]],
    _ outcome: inout Outcome
  ) {
    for file in files {
      for type in file.facts.types {
        let name = file.types.resolve(type.name) ?? type.name
        let isMain =
          file.types.entries[name]?.isolation == .mainActor
          || plan.units.index(of: type.node).map { !plan.nonisolated.contains($0) } == true
        for entry in type.inherited where isMain {
          guard let attributed = entry.type.as(AttributedTypeSyntax.self),
            let attribute = attributed.attributes.first(named: "preconcurrency"),
            let conformance = attributed.baseType.simpleName
          else { continue }
          let isKnown =
            file.types.type(conformance) != nil || KnownNames.neutralProtocols.contains(conformance)
          if isKnown, !refinesSendable(conformance, in: file) {
            outcome.conformanceCount += 1
            edits[file.source.path, default: []].append(
              Edit(range: attribute.start..<attribute.end, replacement: "@MainActor"))
          } else {
            outcome.decisions.append(
              decision(
                at: attribute, in: file.source,
                "'\(name)' conforms to '\(conformance)' with '@preconcurrency'; "
                  + "an isolated conformance may be enough"))
          }
        }
      }
    }
  }

  /// Adds explicit `init()` declarations to superclasses with an implicit one.
  ///
  /// Under default isolation, the compiler (6.3) treats the implicit initializer as nonisolated and
  /// rejects subclasses.
  private func addInitializers(
    _ files: [CheckedFile], _ plan: MigrationPlan, _ edits: inout [String: [Edit]]
  ) {
    let superclasses = Set(
      files.flatMap { file in
        file.facts.types.filter { $0.kind == .class }.compactMap { type in
          file.types.superclass(of: type.name)
        }
      })
    for file in files {
      for type in file.facts.types where type.kind == .class && superclasses.contains(type.name) {
        guard let entry = file.types.entries[type.name],
          file.types.superclass(of: type.name) == nil,
          entry.inheritedNames.first.map({ file.types.type($0) != nil }) ?? true,
          plan.units.index(of: type.node).map({ !plan.nonisolated.contains($0) }) == true,
          !entry.everyMember.contains(where: { $0.decl.is(InitializerDeclSyntax.self) }),
          let block = type.members.parent?.as(MemberBlockSyntax.self)
        else { continue }
        edits[file.source.path, default: []].append(Self.initializer(in: block, file.source))
      }
    }
  }

  /// An `init()` after the last member, on the same line if the braces are on one line.
  private static func initializer(in block: MemberBlockSyntax, _ source: SourceFile) -> Edit {
    func line(_ offset: Int) -> Int { source.location(of: offset).line }
    guard let last = block.members.last else {
      return Edit(range: block.leftBrace.end..<block.leftBrace.end, replacement: " init() {} ")
    }
    if line(last.end) == line(block.rightBrace.start) {
      let separator = last.semicolon == nil ? "; " : " "
      return Edit(range: last.end..<last.end, replacement: separator + "init() {}")
    }
    let indentation = source.line(line(last.start)).prefix { $0 == " " || $0 == "\t" }
    // A comment after the member stays on its line.
    let number = line(last.end)
    let end = source.lineStarts[number - 1] + source.line(number).utf8.count
    return Edit(range: end..<end, replacement: "\n\n\(indentation)init() {}")
  }

  private func refinesSendable(_ name: String, in file: CheckedFile) -> Bool {
    if name == "Sendable" || KnownNames.refiningSendable.contains(name) { return true }
    return file.types.resolve(name).map {
      file.types.conforms($0, to: KnownNames.refiningSendable.union(["Sendable"]))
    } ?? false
  }

  /// Adds `@concurrent` to `async` functions that ran off the caller's actor before the feature, and
  /// whose own code occupies its thread for long.
  ///
  /// For the others, a person must decide: most of them only wait for other functions.
  private func addConcurrent(
    _ files: [CheckedFile], _ plan: MigrationPlan, _ edits: inout [String: [Edit]],
    _ outcome: inout Outcome
  ) {
    for file in files {
      let long = Set(
        file.facts.calls.filter { HeavyWork($0, in: file) != nil }.compactMap(\.enclosingBody?.id))
      for function in file.facts.functions
      where function.signature.effectSpecifiers?.asyncSpecifier != nil && function.body != nil {
        guard function.attributes.first(named: "concurrent") == nil,
          file.isolation(of: function, function.attributes, function.modifiers, isAsync: true)
            == .nonisolated
        else { continue }
        let unit = plan.units.enclosing(function)
        let stays =
          function.modifiers.has(.nonisolated) || unit.map { plan.nonisolated.contains($0) } == true
        guard stays, function.modifiers.first(.nonisolated)?.detail == nil else { continue }
        guard long.contains(Syntax(function).id) else {
          outcome.decisions.append(
            decision(
              at: function.name, in: file.source,
              "'\(function.name.text)' ran off its caller's actor and now runs on it; "
                + "write '@concurrent' if its work takes long"))
          continue
        }
        outcome.concurrentCount += 1
        let start = function.modifiers.first?.start ?? function.funcKeyword.start
        edits[file.source.path, default: []].append(
          Edit(range: start..<start, replacement: "@concurrent "))
      }
    }
  }

  /// Lists code whose meaning changes or may change.
  ///
  /// A person must decide about it.
  private func decide(_ files: [CheckedFile], _ plan: MigrationPlan, _ outcome: inout Outcome) {
    for file in files {
      for function in file.facts.functions
      where function.signature.effectSpecifiers?.asyncSpecifier != nil {
        guard !function.modifiers.has(.nonisolated), function.body != nil,
          file.isolation(of: function, function.attributes, function.modifiers, isAsync: true)
            == .nonisolated,
          let unit = plan.units.enclosing(function), !plan.nonisolated.contains(unit)
        else { continue }
        outcome.decisions.append(
          decision(
            at: function.name, in: file.source,
            "'\(function.name.text)' ran off the main actor and now runs on it; "
              + "write '@concurrent' if its work takes long"))
      }
      for variable in file.facts.variables
      where variable.modifiers.first(.nonisolated)?.detail?.detail.text == "unsafe" {
        outcome.decisions.append(
          decision(
            at: variable, in: file.source,
            "'\(variable.boundNames.first ?? "")' is 'nonisolated(unsafe)'; "
              + "on the main actor this may not be necessary"))
      }
    }
    for hop in plan.hops {
      outcome.decisions.append(
        decision(
          at: hop.token, in: hop.file.source,
          "'\(hop.token.text)' belongs to a class on the main actor, and this code runs off it; "
            + "start a 'Task { @MainActor in … }', or make the class nonisolated"))
    }
    outcome.decisions.sort { ($0.path, $0.line, $0.column) < ($1.path, $1.line, $1.column) }
  }

  private func decision(
    at node: some SyntaxProtocol, in source: SourceFile, _ message: String
  ) -> Decision {
    let place = source.location(of: node.start)
    return Decision(path: source.path, line: place.line, column: place.column, message: message)
  }

  /// Applies the edits, then removes the annotations that the edits made redundant.
  private func rewrite(_ edits: [String: [Edit]], _ outcome: inout Outcome) {
    var settings = module.settings
    settings.defaultIsolation = .mainActor
    if addsNonsending { settings.upcomingFeatures.insert("NonisolatedNonsendingByDefault") }
    let rewritten = module.files.map { file in
      guard let edits = edits[file.path] else { return file }
      return SourceFile(
        path: file.path, text: Fixer.applying(edits, to: file.text).text,
        hasByteOrderMark: file.hasByteOrderMark)
    }
    let check = Check(
      rules: [RedundantMainActor.self, MainActorTask.self], jobs: jobs, progress: { _, _ in })
    let fixed = Fixer(check: check).fix([Check.Module(settings: settings, files: rewritten)]) { _ in
      true
    }
    outcome.removedCount = fixed.fixedCounts.values.reduce(0, +)
    let final = Dictionary(
      uniqueKeysWithValues: fixed.changed.map { ($0.fixed.path, $0.fixed) })
    for (original, edited) in zip(module.files, rewritten) {
      let file = final[original.path] ?? edited
      if file.text != original.text { outcome.changed.append((original, file)) }
    }
  }
}

extension SourceFile {
  /// The declaration whose name or keyword is at a place.
  fileprivate func declaration(line: Int, column: Int) -> Syntax? {
    guard line <= lineStarts.count else { return nil }
    let offset = lineStarts[line - 1] + column - 1
    guard let token = tree.token(at: AbsolutePosition(utf8Offset: offset)) else { return nil }
    return token.ancestors.first { node in
      switch node.kind {
      case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .extensionDecl,
        .functionDecl, .variableDecl, .initializerDecl, .subscriptDecl, .enumCaseDecl,
        .typeAliasDecl:
        true
      default: false
      }
    }
  }
}
