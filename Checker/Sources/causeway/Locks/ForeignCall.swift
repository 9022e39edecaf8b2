import SwiftSyntax

/// A call that runs foreign code on this thread, or that waits for a lock of a task.
struct ForeignCall {
  enum Kind {
    /// `yield` and `finish` of a stream's continuation.
    case stream
    /// `resume` of a continuation.
    case resume
    /// `cancel` of a task.
    case cancel
    /// The call of a stored closure that returns nothing.
    case callback
  }

  let kind: Kind
  /// The called expression, such as `continuation.yield`.
  let text: String
  /// The function that makes the call, if the reported code calls it indirectly.
  let caller: String?
}

/// Finds foreign calls, also those that functions of the module make.
struct ForeignCalls {
  private let types: ExpressionTypes
  /// The number of functions between the reported call and the foreign one.
  private static let functionLimit = 3

  init(_ file: CheckedFile) { types = ExpressionTypes(file) }

  /// Returns the call itself if it is foreign, or a foreign call in a function that it calls; `nil`
  /// if there is none.
  func foreign(_ call: FunctionCallExprSyntax) -> ForeignCall? { foreign(call, []) }

  private func foreign(
    _ call: FunctionCallExprSyntax, _ callers: [FunctionDeclSyntax]
  ) -> ForeignCall? {
    if let kind = kind(of: call) {
      let text = Self.text(call.calledExpression)
      return ForeignCall(kind: kind, text: text, caller: nil)
    }
    guard callers.count < Self.functionLimit else { return nil }
    let functions = types.functions(calledBy: call)
    guard !functions.isEmpty else { return nil }
    var found: ForeignCall?
    for function in functions {
      guard !callers.contains(where: { $0.id == function.id }),
        let inner = inside(function, callers + [function])
      else { return nil }
      found = ForeignCall(
        kind: inner.kind, text: inner.text, caller: Self.text(call.calledExpression))
    }
    return found
  }

  /// The first foreign call of a function before it returns.
  private func inside(
    _ function: FunctionDeclSyntax, _ callers: [FunctionDeclSyntax]
  ) -> ForeignCall? {
    guard let body = function.body, function.signature.effectSpecifiers?.asyncSpecifier == nil
    else { return nil }
    let statements = body.statements
    // A function that unlocks the lock of its caller may make the foreign call after the unlock.
    let unlocks = statements.contains { Lock.unlocked(by: $0) != nil }
    if unlocks, !statements.contains(where: { Lock.locked(by: $0) != nil }) { return nil }
    for call in ImmediateCalls.all(in: Syntax(statements)) {
      if let found = foreign(call, callers) { return found }
    }
    return nil
  }

  private func kind(of call: FunctionCallExprSyntax) -> ForeignCall.Kind? {
    if let member = call.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base {
      let label = call.arguments.first?.label?.text
      switch member.declName.baseName.text {
      case "yield" where isContinuation(base): return .stream
      case "finish" where isContinuation(base) && [nil, "throwing"].contains(label): return .stream
      case "resume" where isResume(base, label): return .resume
      case "cancel" where call.arguments.isEmpty && isTask(base): return .cancel
      default: break
      }
    }
    guard case .callback = types.type(of: call.calledExpression).unwrapped else { return nil }
    return .callback
  }

  private static let resumeLabels: Set<String> = ["returning", "throwing", "with"]

  private func isResume(_ base: ExprSyntax, _ label: String?) -> Bool {
    guard label == nil || Self.resumeLabels.contains(label ?? "") else { return false }
    return isContinuation(base)
  }

  /// Whether an expression is a continuation, by its type, otherwise by its name.
  private func isContinuation(_ base: ExprSyntax) -> Bool {
    switch types.type(of: base).unwrapped {
    case .named(let name, _):
      return types.file.types.type(name) == nil && name.hasSuffix("Continuation")
    case .unknown: return base.path?.lowercased().hasSuffix("continuation") == true
    default: return false
    }
  }

  private static let cancellables: Set<String> = ["Task", "AnyCancellable"]

  private func isTask(_ base: ExprSyntax) -> Bool {
    guard case .named(let name, _) = types.type(of: base).unwrapped else { return false }
    return Self.cancellables.contains(name) && types.file.types.type(name) == nil
  }

  /// The called expression without line breaks.
  private static func text(_ expression: ExprSyntax) -> String {
    let text = expression.trimmedDescription
    guard text.count > 40 || text.contains("\n") else { return text }
    let name = expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    return name ?? "the closure"
  }
}
