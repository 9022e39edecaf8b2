import SwiftSyntax

/// An older answer that replaces a newer one.
///
/// Two calls wait for their answers at the same time, and the answers can come in any order. If the
/// answer of the first call arrives last, people see the results of an old request.
///
/// Bad:
/// ```swift
/// func changed(_ text: String) {
///   Task { results = await service.search(text) }
/// }
/// ```
///
/// Good:
/// ```swift
/// func changed(_ text: String) {
///   task?.cancel()
///   task = Task {
///     let found = await service.search(text)
///     guard !Task.isCancelled else { return }
///     results = found
///   }
/// }
/// ```
///
/// Reported on the main actor for a task that is not stored and assigns the result of an awaited
/// call to a stored property. An argument of the call must be the property whose change starts the
/// task, or a parameter of a function whose name says that it asks for something. Also reported for
/// a task that the function cancels and starts again, and for SwiftUI's `task(id:)`, if the awaited
/// call does not throw, because a cancellation does not end such a call. Not reported if the code
/// after the call checks whether the task is cancelled, or compares the parameter. Off by default:
/// the syntax does not show how long a call takes.
enum OlderAnswer: Rule {
  static let id = "older-answer"
  static let isDefault = false

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return file.facts.closures.compactMap { closure in
      guard let question = Question(closure), file.isolation(of: closure) == .mainActor,
        let name = file.enclosingType(of: closure), let type = file.types.entries[name]
      else { return nil }
      let stored = Set(type.storedVariables.filter(\.isVar).flatMap(\.boundNames))
      guard let target = question.target(in: closure, stored: stored) else { return nil }
      return finding(
        at: target,
        "if an older call answers last, its answer replaces the newer answer here",
        advice: question.isCancelled
          ? "return if 'Task.isCancelled' after the call"
          : "cancel the earlier task, and return if 'Task.isCancelled' after the call")
    }
  }
}

/// The question that a task asks.
private struct Question {
  /// Whether a newer question cancels the task.
  let isCancelled: Bool
  /// The names that differ between two questions.
  let names: Set<String>

  init?(_ closure: ClosureExprSyntax) {
    if let call = closure.enclosingCall, call.calleeName == "task",
      let id = call.value(labeled: "id")
    {
      isCancelled = true
      names = Set(id.tokens(viewMode: .sourceAccurate).map(\.text)).subtracting([".", "self"])
      return
    }
    guard closure.isTask, let function = closure.ancestors.lazy.compactMap({ $0.asFunction }).first
    else { return nil }
    names = function.names
    guard !names.isEmpty else { return nil }
    let place = closure.enclosingCall?.parent
    if place?.is(CodeBlockItemSyntax.self) == true {
      isCancelled = false
    } else if place?.parent?.as(SequenceExprSyntax.self)?.isAssignment == true {
      guard function.body.mentions("cancel") else { return nil }
      isCancelled = true
    } else {
      return nil
    }
  }

  /// The target of the assignment that stores the answer.
  func target(in closure: ClosureExprSyntax, stored: Set<String>) -> ExprSyntax? {
    var answers: Set<String> = []
    for item in closure.statements.flatMap(\.inner) {
      let calls = item.directDescendants(AwaitExprSyntax.self).filter(isAnswer)
      if item.checksCancellation { return nil }
      let compares = item.item.is(GuardStmtSyntax.self) && calls.isEmpty
      if compares, item.mentions(anyOf: names) { return nil }
      if let sequence = item.item.as(SequenceExprSyntax.self), sequence.isAssignment,
        let target = sequence.elements.first, let property = target.memberOfSelf,
        stored.contains(property), let value = sequence.elements.last
      {
        if !calls.isEmpty || value.mentions(anyOf: answers) { return target }
      }
      guard !calls.isEmpty else { continue }
      answers.formUnion(item.descendants(IdentifierPatternSyntax.self).map(\.identifier.text))
    }
    return nil
  }

  /// Whether an awaited call depends on the question, and a cancellation does not end it.
  private func isAnswer(_ wait: AwaitExprSyntax) -> Bool {
    guard let call = wait.expression.withoutEffects.asCall, call.calleeName != "sleep",
      call.mentions(anyOf: names)
    else { return false }
    let attempt = wait.parent?.as(TryExprSyntax.self)
    return !isCancelled || attempt == nil || attempt?.questionOrExclamationMark != nil
  }
}

extension CodeBlockItemSyntax {
  /// The statement, or the statements inside a `do` or inside `MainActor.run`.
  fileprivate var inner: [CodeBlockItemSyntax] {
    if let attempt = item.as(DoStmtSyntax.self) { return Array(attempt.body.statements) }
    return closureRunInPlace.map { Array($0.statements) } ?? [self]
  }
}

extension ExprSyntax {
  fileprivate var asCall: FunctionCallExprSyntax? {
    self.as(FunctionCallExprSyntax.self)
      ?? self.as(MemberAccessExprSyntax.self)?.base?.as(FunctionCallExprSyntax.self)
  }
}

/// Words in the names of functions that ask for something, and do not change it.
private let questions = [
  "search", "load", "fetch", "find", "query", "chang", "updat", "select", "show", "open", "filter",
  "refresh", "get", "set", "type", "input", "look",
]

extension Syntax {
  /// The parameter names and the body of a function, or of a closure such as the closure of
  /// `onChange`.
  fileprivate var asFunction: (names: Set<String>, body: Syntax)? {
    if let function = self.as(FunctionDeclSyntax.self), let body = function.body {
      let parameters = function.signature.parameterClause.parameters
      let name = function.name.text.lowercased()
      guard questions.contains(where: name.contains) else { return ([], Syntax(body)) }
      return (Set(parameters.map { ($0.secondName ?? $0.firstName).text }), Syntax(body))
    }
    // The observer of a property.
    if let accessor = self.as(AccessorDeclSyntax.self), let body = accessor.body,
      accessor.accessorSpecifier.tokenKind == .keyword(.didSet),
      let binding = ancestors.lazy.compactMap({ $0.as(PatternBindingSyntax.self) }).first
    {
      return ([binding.pattern.trimmedDescription], Syntax(body))
    }
    guard let closure = self.as(ClosureExprSyntax.self),
      closure.enclosingCall?.calleeName == "onChange"
    else { return nil }
    let watched = closure.enclosingCall?.value(labeled: "of")?.memberOfSelf.map { [$0] } ?? []
    return (Set(closure.parameterNames + watched).subtracting(["_"]), Syntax(closure.statements))
  }
}
