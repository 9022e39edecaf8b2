import SwiftSyntax

/// An index of a stored collection that is used after an `await`.
///
/// At the `await`, other code on the same actor can insert or remove elements. The index then
/// refers to another element, or to no element; in that case, the program traps.
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
/// Reported on the main actor and in actors, for an index from `firstIndex`, `lastIndex` or `index`
/// of a stored property, from a loop over its indices, or in a parameter, if a statement after an
/// `await` uses the index with the property, also in a nested block or in a task. Not reported if
/// the code checks the collection again. Not reported for properties that no code of the type
/// changes.
enum StaleIndex: Rule {
  static let id = "stale-index"
  private static let sources: Set<String> = ["firstIndex", "lastIndex", "index", "indices"]

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return file.suspendingLists.flatMap { lists -> [Finding] in
      guard let name = file.enclosingType(of: lists[0]), let type = file.types.entries[name]
      else { return [] }
      let parameters = lists[0].parent?.parent?.as(FunctionDeclSyntax.self).flatMap {
        findings(in: $0, type)
      }
      let indices = lists.flatMap { findings(in: Array($0), of: lists[0], type) }
      return indices + (parameters.flatMap { indices.isEmpty ? [$0] : nil } ?? [])
    }
  }

  private static func findings(
    in items: [CodeBlockItemSyntax], of body: CodeBlockItemListSyntax, _ type: TypeTable.Entry
  ) -> [Finding] {
    items.indices.compactMap { position in
      let item = items[position]
      let loop = item.item.as(ForStmtSyntax.self)
      guard let (index, property) = loop?.indexOfCollection ?? declaredIndex(in: item),
        isChanged(property, in: type), !body.declaresLocally(property)
      else { return nil }
      let check = item.item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self)
      let inner = loop?.body.statements ?? check?.body.statements
      var search = SuspensionSearch(IndexUse(index: index, property: property))
      search.run(inner.map { Array($0) } ?? Array(items[(position + 1)...]))
      // The next turn of a loop comes after the suspension of this one.
      if let loop { search.run(loop.body.statements) }
      return search.found.map { finding(at: $0, index, property) }
    }
  }

  /// The use of a parameter such as `index` or `offsets` after an `await`.
  private static func findings(
    in function: FunctionDeclSyntax, _ type: TypeTable.Entry
  ) -> Finding? {
    guard let body = function.body else { return nil }
    for parameter in function.signature.parameterClause.parameters {
      guard ["Int", "IndexSet"].contains(parameter.type.simpleName ?? "") else { continue }
      let name = (parameter.secondName ?? parameter.firstName).text
      for property in type.storedVariables.filter(\.isVar).flatMap(\.boundNames)
      where body.mentions(property) && !body.declaresLocally(property)
        && isChanged(property, in: type)
      {
        var search = SuspensionSearch(IndexUse(index: name, property: property))
        search.run(body.statements)
        if let found = search.found { return finding(at: found, name, property) }
      }
    }
    return nil
  }

  private static func finding(
    at use: ExprSyntax, _ index: String, _ property: String
  ) -> Finding {
    finding(
      at: use,
      "'\(index)' is from before an 'await': '\(property)' can have changed since",
      advice: "find the index again after the 'await'")
  }

  private static func isChanged(_ property: String, in type: TypeTable.Entry) -> Bool {
    type.storedVariables.contains { $0.isVar && $0.boundNames.contains(property) }
      && changesSize(of: property, in: type)
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
}

/// The first use of an index with its collection after a suspension.
private struct IndexUse: SuspensionGoal {
  let index: String
  let property: String

  func isAnswered(by node: Syntax, isCondition: Bool, hasSuspended: Bool) -> Bool {
    guard hasSuspended else { return false }
    // The code looks at the collection before it continues: `guard index < items.count`.
    return isCondition && node.mentions(property)
      && node.mentions(anyOf: [index, "count", "indices", "isEmpty"])
      || node.descendants(IdentifierPatternSyntax.self).contains { $0.identifier.text == index }
      || node.writtenMembers.contains(index)
  }

  func target(in node: Syntax, hasSuspended: Bool, awaited: Set<String>) -> ExprSyntax? {
    if hasSuspended { return use(in: node) }
    // An assignment evaluates its right side first.
    guard let sequence = node.as(SequenceExprSyntax.self), sequence.isAssignment,
      sequence.elements.dropFirst(2).contains(where: { $0.suspends }),
      let place = sequence.elements.first
    else { return nil }
    return use(in: Syntax(place))
  }

  private func use(in node: Syntax) -> ExprSyntax? {
    let own = node.as(SubscriptCallExprSyntax.self).map { [$0] } ?? []
    let subscripts = (own + node.directDescendants(SubscriptCallExprSyntax.self)).first {
      $0.calledExpression.textWithoutSelf == property
        && $0.arguments.first?.expression.trimmedDescription == index
    }
    if let subscripts { return ExprSyntax(subscripts) }
    let call = node.as(FunctionCallExprSyntax.self).map { [$0] } ?? []
    let calls = call + node.directDescendants(FunctionCallExprSyntax.self)
    return calls.first { call in
      let argument = call.value(labeled: "at") ?? call.value(labeled: "atOffsets")
      return argument?.trimmedDescription == index
        && call.calledExpression.as(MemberAccessExprSyntax.self)?.base?.textWithoutSelf == property
    }.map { ExprSyntax($0) }
  }
}

extension ForStmtSyntax {
  /// The index of a loop over the indices of a property.
  ///
  /// `for i in items.indices`, `for i in 0..<items.count` and `for (i, item) in items.enumerated()`.
  fileprivate var indexOfCollection: (index: String, property: String)? {
    let text = sequence.trimmedDescription.replacing("self.", with: "")
    if let tuple = pattern.as(TuplePatternSyntax.self) {
      let name = tuple.elements.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
      guard let name, text.hasSuffix(".enumerated()") else { return nil }
      return (name, String(text.dropLast(".enumerated()".count)))
    }
    guard let name = pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { return nil }
    if text.hasSuffix(".indices") { return (name, String(text.dropLast(".indices".count))) }
    let range = text.replacing(" ", with: "")
    guard range.hasPrefix("0..<"), range.hasSuffix(".count") else { return nil }
    return (name, String(range.dropFirst("0..<".count).dropLast(".count".count)))
  }
}
