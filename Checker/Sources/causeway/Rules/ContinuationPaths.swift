import SwiftSyntax

/// A continuation that some path resumes twice, or not at all.
///
/// A second resume traps. Without a resume, the caller waits forever and never releases its
/// objects.
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
/// Not reported when the continuation is stored or passed on. Paths without a resume are allowed in
/// two kinds of callbacks: callbacks that are assigned to a property, and callbacks of functions
/// whose names say that they call the callback repeatedly.
enum ContinuationPaths: Rule {
  static let id = "continuation-paths"
  private static let functions: Set<String> = [
    "withCheckedContinuation", "withCheckedThrowingContinuation", "withUnsafeContinuation",
    "withUnsafeThrowingContinuation",
  ]

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.calls.compactMap { call in
      guard let name = call.calleePath, functions.contains(name),
        let closure = call.closureArgument, let continuation = closure.parameterNames.first,
        !isHandedOn(continuation, in: closure)
      else { return nil }
      let callbacks = closure.descendants(ClosureExprSyntax.self)
        .filter { resumes(Syntax($0.statements), continuation) }
      if callbacks.isEmpty {
        return finding(for: ResumePaths(closure.statements, continuation), at: closure, true)
      }
      guard callbacks.count == 1, let callback = callbacks.first else {
        return callbacks.lazy.compactMap { callback in
          finding(for: ResumePaths(callback.statements, continuation), at: callback, false)
        }.first
      }
      // A resume outside the callback usually reports an error that occurs before the callback is
      // registered.
      let outer = ResumePaths(closure.statements, continuation)
      return finding(
        for: ResumePaths(callback.statements, continuation), at: callback,
        outer.isSilent && !isRepeated(callback))
    }
  }

  private static func finding(
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

  private static func resumes(_ node: Syntax, _ continuation: String) -> Bool {
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
      || closure.signature?.capture != nil
  }

  private static func isRepeated(_ closure: ClosureExprSyntax) -> Bool {
    guard
      let call = closure.parent?.as(FunctionCallExprSyntax.self)
        ?? closure.parent?.parent?.parent?.as(FunctionCallExprSyntax.self)
    else { return true }
    let name = call.calleeName?.lowercased() ?? ""
    let words = ["observ", "sink", "onchange", "listen", "foreach", "handler", "subscribe", "map"]
    return words.contains { name.contains($0) }
  }
}
