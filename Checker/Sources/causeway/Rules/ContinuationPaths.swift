import SwiftSyntax

/// A continuation that some path resumes twice, or not at all.
///
/// A second resume traps. Without a resume, the caller waits forever, and its objects are never
/// released.
///
/// Bad:
/// ```swift
/// await withCheckedThrowingContinuation { continuation in
///   load { data, error in
///     if let error { continuation.resume(throwing: error) }
///     continuation.resume(returning: data)
///   }
/// }
/// ```
///
/// Good:
/// ```swift
/// await withCheckedThrowingContinuation { continuation in
///   load { data, error in
///     if let error {
///       continuation.resume(throwing: error)
///     } else {
///       continuation.resume(returning: data)
///     }
///   }
/// }
/// ```
///
/// Also reported for a timeout or a cancellation handler that resumes beside a callback, and for a
/// `stateUpdateHandler` that resumes for `ready` and for later states. Not reported when the
/// continuation is stored or passed on. Not reported for callbacks that count their calls, or that
/// set and check a flag such as `didResume`. Paths without a resume are allowed in callbacks that
/// are assigned to a property, in callbacks of functions whose names say that they call the
/// callback repeatedly, and in callbacks that check whether they are called for the last time. Not
/// reported in tests, where a callback often only fails the test because it must not be called.
enum ContinuationPaths: Rule {
  static let id = "continuation-paths"
  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return file.facts.calls.compactMap { call in
      guard let name = call.calleePath, KnownNames.continuations.contains(name),
        let closure = call.closureArgument, let continuation = closure.continuationName,
        !isHandedOn(continuation, in: closure)
      else { return nil }
      let callbacks = closure.descendants(ClosureExprSyntax.self)
        .filter { resumes(Syntax($0.statements), continuation) }
      if callbacks.contains(where: { checksOwnFlag($0) }) { return nil }
      if let second = repeatedState(callbacks, continuation) { return second }
      if let silent = silentSibling(of: callbacks, continuation) { return silent }
      if let second = resumeBesideCallback(callbacks, in: closure, continuation)
        ?? timeoutBesideCallback(callbacks, in: closure, continuation)
      {
        return second
      }
      if callbacks.isEmpty {
        return finding(for: ResumePaths(closure.statements, continuation), at: closure, true)
      }
      guard callbacks.count == 1, let callback = callbacks.first else {
        return callbacks.lazy.compactMap { callback in
          finding(for: ResumePaths(callback.statements, continuation), at: callback, false)
        }.first ?? unanswered(around: callbacks, in: closure, continuation)
      }
      // A resume outside the callback usually reports an error that occurs before the callback is
      // registered.
      let outer = ResumePaths(closure.statements, continuation)
      let isOnly =
        outer.isSilent && !isRepeated(callback, in: closure) && !waitsForLastCall(callback)
      let paths = ResumePaths(callback.statements, continuation, mayThrow: callback.isTask)
      return finding(for: paths, at: callback, isOnly)
        ?? unanswered(around: callbacks, in: closure, continuation)
    }
  }

  static func finding(
    for paths: ResumePaths, at closure: ClosureExprSyntax, _ needsResume: Bool
  ) -> Finding? {
    if let second = paths.second {
      return finding(
        at: second,
        "a path to this call has already resumed the continuation, and a second resume traps",
        advice: "return after the first resume, or use 'else'")
    }
    guard needsResume, paths.canEndWithout else { return nil }
    return finding(
      at: closure.signature.map(Syntax.init) ?? Syntax(closure.leftBrace),
      "a path through this closure does not resume the continuation: the caller waits forever",
      advice: "resume it exactly once on every path")
  }

  static func resumes(_ node: Syntax, _ continuation: String) -> Bool {
    node.directDescendants(FunctionCallExprSyntax.self).contains {
      $0.calleePath == continuation + ".resume"
    }
  }

  /// Whether the closure uses the continuation for anything except a call of `resume`.
  private static func isHandedOn(_ name: String, in closure: ClosureExprSyntax) -> Bool {
    let references = closure.descendants(DeclReferenceExprSyntax.self)
      .filter { $0.baseName.text == name }
    return references.isEmpty
      || references.contains { reference in
        reference.parent?.as(MemberAccessExprSyntax.self)?.declName.baseName.text != "resume"
          || reference.parent?.parent?.is(FunctionCallExprSyntax.self) != true
      }
      || !closure.descendants(FunctionDeclSyntax.self).isEmpty
  }

  private static let repeatingWords = [
    "observ", "sink", "onchange", "listen", "foreach", "handler", "subscribe", "map", "whenready",
    "requestimage", "requestav", "requestplayer", "requestlive", "monitor", "watch", "progress",
    "enumerate", "timer", "stream", "repeat",
  ]

  /// Whether a function that calls its closure repeatedly is around a callback.
  static func isRepeated(
    _ callback: ClosureExprSyntax, in closure: ClosureExprSyntax
  ) -> Bool {
    var current = callback
    while current.id != closure.id {
      guard let call = current.enclosingCall else { return true }
      let name = call.calleeName?.lowercased() ?? ""
      if repeatingWords.contains(where: { name.contains($0) }) { return true }
      guard let outer = call.ancestors.first(where: { $0.is(ClosureExprSyntax.self) }),
        let next = outer.as(ClosureExprSyntax.self)
      else { return false }
      current = next
    }
    return false
  }

  private static func conditions(in callback: ClosureExprSyntax) -> [ConditionElementListSyntax] {
    callback.statements.directDescendants(GuardStmtSyntax.self).map(\.conditions)
      + callback.statements.directDescendants(IfExprSyntax.self).map(\.conditions)
  }

  /// Whether a callback checks a variable that it also changes, so that only one call resumes.
  ///
  /// The flag can be behind a lock: `guard claimed.exchange(true) == false`. The variable can also
  /// count the calls: `remaining -= 1` or `results.append(result)`.
  private static func checksOwnFlag(_ callback: ClosureExprSyntax) -> Bool {
    let assigned = callback.descendants(SequenceExprSyntax.self).compactMap { sequence in
      let sign = sequence.elements.dropFirst().first
      let changes =
        sign?.is(AssignmentExprSyntax.self) == true
        || ["+=", "-="].contains(sign?.as(BinaryOperatorExprSyntax.self)?.operator.text)
      return changes
        ? sequence.elements.first?.path?.split(separator: ".").last.map(String.init) : nil
    }
    let collected = callback.descendants(FunctionCallExprSyntax.self).compactMap { call in
      let name = call.calledExpression.as(MemberAccessExprSyntax.self)
      return ["append", "insert"].contains(name?.declName.baseName.text)
        ? name?.base?.path?.split(separator: ".").last.map(String.init) : nil
    }
    let flags = Set(assigned + collected)
    let calls: Set<String> = ["withLock", "withLockedValue", "exchange", "compareExchange"]
    return conditions(in: callback).contains { condition in
      condition.mentions(anyOf: flags) || condition.mentions(anyOf: calls)
    }
  }

  /// Whether a callback checks a parameter such as `done`, which is false until the last call.
  private static func waitsForLastCall(_ callback: ClosureExprSyntax) -> Bool {
    let words: Set<String> = ["done", "isdone", "isfinal", "islast", "iscomplete", "isdegraded"]
    return conditions(in: callback).contains { condition in
      condition.tokens(viewMode: .sourceAccurate).contains { token in
        let name = token.text.lowercased()
        return words.contains(name) || name.contains("degradedkey")
      }
    }
  }
}

extension ClosureExprSyntax {
  /// The name of the continuation; `$0` if no nested closure can have a `$0` of its own.
  fileprivate var continuationName: String? {
    if let name = parameterNames.first { return name }
    return signature?.parameterClause == nil && descendants(ClosureExprSyntax.self).isEmpty
      ? "$0" : nil
  }
}
