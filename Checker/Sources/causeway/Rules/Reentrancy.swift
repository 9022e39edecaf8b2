import SwiftSyntax

/// A method of an actor checks state, suspends, and then changes the state without a new check.
///
/// At each `await` in a method of an actor or of a main-actor class, other calls can run and change
/// the state. A `defer` that changes the state runs after the last `await`.
///
/// Bad:
/// ```swift
/// func image(for url: URL) async -> Image {
///   if let image = cache[url] { return image }
///   let image = await download(url)
///   cache[url] = image
///   return image
/// }
/// ```
///
/// Good:
/// ```swift
/// func image(for url: URL) async -> Image {
///   if let image = cache[url] { return image }
///   if let running = downloads[url] { return await running.value }
///   …
/// }
/// ```
///
/// Not reported for state that is set before the `await`, unless it is a task that other calls await.
/// Off by default: the syntax does not show whether running the work twice is harmful.
enum Reentrancy: Rule {
  static let id = "reentrancy"
  static let isDefault = false

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.functions.flatMap { function -> [Finding] in
      guard let body = function.body, let name = file.enclosingType(of: function),
        let type = file.types.entries[name], function.isMember,
        type.kind == .actor || type.kind == .class && type.isolation == .mainActor
      else { return [] }
      return type.storedNames.compactMap { property in
        search(body.statements, property)
      }
    }
  }

  private static func search(_ items: CodeBlockItemListSyntax, _ property: String) -> Finding? {
    var isChecked = false
    var hasSuspended = false
    // A running task that other calls await.
    var isAwaited = false
    var isSet = false
    var deferred: ExprSyntax?
    for item in items {
      if !isChecked {
        let conditions =
          item.item.as(GuardStmtSyntax.self)?.conditions
          ?? item.item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self)?.conditions
        isChecked = conditions?.mentions(property) == true
        isAwaited = isChecked && !item.directDescendants(AwaitExprSyntax.self).isEmpty
        continue
      }
      if hasSuspended, let write = assignment(to: property, in: Syntax(item.item)) {
        // A flag that was set before the suspension keeps other calls away.
        return isSet && !isAwaited ? nil : finding(at: write, property)
      }
      if !hasSuspended, let statement = item.item.as(DeferStmtSyntax.self) {
        // A `defer` runs after the suspensions.
        deferred =
          statement.body.statements.lazy
          .compactMap { assignment(to: property, in: Syntax($0.item)) }.first
        continue
      }
      if item.item.mentions(property), hasSuspended { return nil }
      if assignment(to: property, in: Syntax(item.item)) != nil { isSet = true }
      if !item.directDescendants(AwaitExprSyntax.self).isEmpty { hasSuspended = true }
    }
    return hasSuspended && isAwaited ? deferred.map { finding(at: $0, property) } : nil
  }

  private static func finding(at write: ExprSyntax, _ property: String) -> Finding {
    finding(
      at: write,
      "'\(property)' was checked before an 'await': other calls may have changed it since",
      advice: "check it again, or store the running task instead of its result")
  }

  private static func assignment(to property: String, in node: Syntax) -> ExprSyntax? {
    guard let sequence = node.as(SequenceExprSyntax.self), sequence.elements.count >= 3,
      let target = sequence.elements.first,
      sequence.elements.dropFirst().first?.is(AssignmentExprSyntax.self) == true
    else { return nil }
    return target.mentions(property) ? target : nil
  }
}

extension FunctionDeclSyntax {
  fileprivate var isMember: Bool { parent?.is(MemberBlockItemSyntax.self) == true }
}

extension TypeTable.Entry {
  fileprivate var storedNames: [String] {
    storedVariables.filter(\.isVar).flatMap(\.boundNames)
  }
}
