import SwiftSyntax

/// An index of a stored collection that is used after an `await`.
///
/// At the `await`, other code on the same actor can insert or remove elements. The index then names
/// another element, or none, and the program traps.
///
/// Bad:
/// ```swift
/// guard let index = items.firstIndex(where: { $0.id == id }) else { return }
/// let detail = await service.detail(of: id)
/// items[index].detail = detail
/// ```
///
/// Good:
/// ```swift
/// let detail = await service.detail(of: id)
/// guard let index = items.firstIndex(where: { $0.id == id }) else { return }
/// items[index].detail = detail
/// ```
///
/// Reported on the main actor and in actors, for an index from `firstIndex`, `lastIndex`, `index`,
/// `endIndex` or `count` of a stored property, if a statement of the same block uses it with the
/// property after an `await`. Not reported if the code checks the index again, and for properties
/// that nothing else in the type changes.
enum StaleIndex: Rule {
  static let id = "stale-index"
  private static let sources: Set<String> = ["firstIndex", "lastIndex", "index", "indices"]

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    let functions = file.facts.functions.compactMap { $0.body.map(\.statements) }
    let closures = file.facts.closures.map(\.statements)
    return (functions + closures).flatMap { statements -> [Finding] in
      guard statements.mentions("await"), let name = file.enclosingType(of: statements),
        let type = file.types.entries[name],
        [.mainActor, .actorInstance].contains(
          statements.first.map { file.isolation(at: $0) } ?? .unknown)
      else { return [] }
      let lists = [statements] + statements.directDescendants(CodeBlockItemListSyntax.self)
      return lists.flatMap { findings(in: Array($0), type) }
    }
  }

  private static func findings(
    in items: [CodeBlockItemSyntax], _ type: TypeTable.Entry
  ) -> [Finding] {
    items.indices.compactMap { position in
      guard let (index, property) = declaredIndex(in: items[position]),
        type.storedVariables.contains(where: { $0.isVar && $0.boundNames.contains(property) }),
        changesSize(of: property, in: type)
      else { return nil }
      let check = items[position].item.as(ExpressionStmtSyntax.self)?.expression.as(
        IfExprSyntax.self)
      let later = check.map { Array($0.body.statements)[...] } ?? items[(position + 1)...]
      guard let use = staleUse(of: index, of: property, in: later) else { return nil }
      return finding(
        at: use,
        "'\(index)' is from before an 'await': '\(property)' can have changed since",
        advice: "find the index again after the 'await'")
    }
  }

  private static func staleUse(
    of index: String, of property: String, in items: ArraySlice<CodeBlockItemSyntax>
  ) -> ExprSyntax? {
    var hasSuspended = false
    for item in items {
      if hasSuspended, item.declares(index) || item.checks(property) { return nil }
      // An assignment evaluates its right side first.
      let sequence = item.item.as(SequenceExprSyntax.self)
      let waits = sequence?.isAssignment == true && sequence?.elements.last?.suspends == true
      if hasSuspended || waits {
        let place = waits ? sequence?.elements.first.map(Syntax.init) : Syntax(item)
        if let found = place.flatMap({ use(of: index, in: $0, of: property) }) { return found }
      }
      if item.suspends { hasSuspended = true }
    }
    return nil
  }

  /// The constant that a statement sets to an index of a property.
  private static func declaredIndex(
    in item: CodeBlockItemSyntax
  ) -> (index: String, property: String)? {
    var name: String?
    var value: ExprSyntax?
    if let variable = item.item.as(VariableDeclSyntax.self) {
      name = variable.boundNames.first
      value = variable.bindings.first?.initializer?.value
    } else {
      let conditions =
        item.item.as(GuardStmtSyntax.self)?.conditions
        ?? item.item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self)?.conditions
      for condition in conditions ?? [] {
        guard let binding = condition.condition.as(OptionalBindingConditionSyntax.self),
          let call = binding.initializer?.value.as(FunctionCallExprSyntax.self),
          sources.contains(call.calleeName ?? "")
        else { continue }
        name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
        value = ExprSyntax(call)
      }
    }
    let unwrapped = value?.as(ForceUnwrapExprSyntax.self)?.expression ?? value
    guard let name, let call = unwrapped?.as(FunctionCallExprSyntax.self),
      let member = call.calledExpression.as(MemberAccessExprSyntax.self),
      sources.contains(member.declName.baseName.text), let base = member.base,
      let property = base.memberOfSelf, base.textWithoutSelf == property
    else { return nil }
    return (name, property)
  }

  /// Whether the type inserts or removes elements, or replaces the collection.
  private static func changesSize(of property: String, in type: TypeTable.Entry) -> Bool {
    type.everyMember.contains { member in
      let kinds: [SyntaxKind] = [.functionDecl, .variableDecl]
      guard kinds.contains(member.decl.kind) else { return false }
      return member.decl.memberWrites.contains { write in
        let target = write.node.as(SequenceExprSyntax.self)?.elements.first
        return write.name == property && (target.map { $0.textWithoutSelf == property } ?? true)
      }
    }
  }

  private static func use(
    of index: String, in node: Syntax, of property: String
  ) -> ExprSyntax? {
    let own = node.as(SubscriptCallExprSyntax.self).map { [$0] } ?? []
    let subscripts = (own + node.directDescendants(SubscriptCallExprSyntax.self)).first {
      $0.calledExpression.textWithoutSelf == property
        && $0.arguments.first?.expression.trimmedDescription == index
    }
    if let subscripts { return ExprSyntax(subscripts) }
    let calls = node.directDescendants(FunctionCallExprSyntax.self)
    return calls.first {
      $0.value(labeled: "at")?.trimmedDescription == index
        && $0.calledExpression.as(MemberAccessExprSyntax.self)?.base?.textWithoutSelf == property
    }.map { ExprSyntax($0) }
  }
}

extension CodeBlockItemSyntax {
  fileprivate func declares(_ name: String) -> Bool {
    descendants(IdentifierPatternSyntax.self).contains { $0.identifier.text == name }
      || writtenMembers.contains(name)
  }

  /// Whether the statement looks at a collection before it continues: `guard index < items.count`.
  fileprivate func checks(_ property: String) -> Bool {
    if let statement = item.as(GuardStmtSyntax.self) { return statement.mentions(property) }
    let check = item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self)
    return check?.conditions.mentions(property) == true
  }
}
