import SwiftSyntax

/// `Task.detached` whose body only awaits isolated methods of `self`.
///
/// The task leaves the actor and immediately returns to it. No work runs off the actor. The task
/// loses its priority and task-local values, and it makes a second hop.
///
/// Bad:
/// ```swift
/// @MainActor
/// final class FeedModel {
///   func start() {
///     Task.detached { await self.refresh() }
///   }
///   func refresh() async { … }
/// }
/// ```
///
/// Good:
/// ```swift
/// @MainActor
/// final class FeedModel {
///   func start() {
///     Task { await refresh() }
///   }
///   func refresh() async { … }
/// }
/// ```
///
/// Not reported when the body does anything else, when the method is nonisolated, and in code that is
/// not on the actor itself.
enum DetachedSelf: Rule {
  static let id = "detached-self"
  static let needsAllTargets = true

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.calls.compactMap { call in
      guard call.calleePath == "Task.detached", let closure = call.closureArgument,
        let name = file.enclosingType(of: call), let type = file.types.entries[name],
        type.isReferenceType, type.isolation.isIsolated, file.isolation(at: call).isIsolated
      else { return nil }
      var methods: [String] = []
      for item in closure.statements {
        if item.item.is(GuardStmtSyntax.self), item.mentions("self") { continue }
        guard let method = awaitedMethod(of: item.item) else { return nil }
        methods.append(method)
      }
      guard !methods.isEmpty, methods.allSatisfy({ isIsolated($0, of: type, in: file) }) else {
        return nil
      }
      return finding(
        at: call.calledExpression,
        "this detached task only calls '\(methods[0])', which runs on the actor of '\(name)'",
        advice: "use 'Task { }', or move the work off the actor with "
          + (file.settings.allows(.concurrent) ? "'@concurrent'" : "a 'nonisolated async' function")
      )
    }
  }

  private static func awaitedMethod(of item: CodeBlockItemSyntax.Item) -> String? {
    guard let expression = item.as(ExprSyntax.self) else { return nil }
    var inner = expression
    // `_ = await self.refresh()`
    if let sequence = inner.as(SequenceExprSyntax.self), sequence.elements.count == 3,
      sequence.elements.first?.is(DiscardAssignmentExprSyntax.self) == true,
      let last = sequence.elements.last
    {
      inner = last
    }
    guard inner.is(AwaitExprSyntax.self) || inner.is(TryExprSyntax.self),
      let call = inner.withoutEffects.as(FunctionCallExprSyntax.self)
        ?? inner.withoutEffects.as(OptionalChainingExprSyntax.self)?.expression
        .as(FunctionCallExprSyntax.self),
      let path = call.calleePath, path.hasPrefix("self."),
      path.split(separator: ".").count == 2, call.arguments.isEmpty || !call.mentions("await")
    else { return nil }
    return String(path.dropFirst("self.".count))
  }

  private static func isIsolated(
    _ method: String, of type: TypeTable.Entry, in file: CheckedFile
  ) -> Bool {
    let overloads = type.everyMember.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
      .filter { $0.name.text == method }
    return !overloads.isEmpty
      && overloads.allSatisfy { function in
        file.isolation(
          of: function, function.attributes, function.modifiers,
          isAsync: function.signature.effectSpecifiers?.asyncSpecifier != nil
        ).isIsolated
      }
  }
}
