import SwiftSyntax

/// A condition on a stored property that holds in the code after a check.
struct Requirement {
  enum State: Equatable {
    /// A flag is `false`.
    case isFalse
    case isNil
    /// An enum has a case.
    case isCase(String)
    /// An enum does not have a case.
    case isNotCase(String)
    /// A collection does not contain an element.
    case isWithout(String)
  }

  let property: String
  /// The checked expression, such as `isSyncing` or `openStreams[id]`.
  let text: String
  let state: State

  /// Whether a name says that work is running, and not that it has ended.
  static func isAboutRunning(_ text: String) -> Bool {
    let name = text.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return ["ing", "progress", "busy", "active", "start", "begun", "inflight", "scheduled"]
      .contains { name.contains($0) }
  }
}

/// Finds the first statement after a suspension that changes the checked property.
extension Requirement: SuspensionGoal {
  func isAnswered(by node: Syntax, isCondition: Bool, hasSuspended: Bool) -> Bool {
    node.mentions(property)
  }

  /// The target of a statement that makes a flag `true`, gives a value, or changes the case.
  func target(in node: Syntax, hasSuspended: Bool, awaited: Set<String>) -> ExprSyntax? {
    guard hasSuspended else { return nil }
    if let call = node.as(FunctionCallExprSyntax.self) { return target(of: call) }
    guard let sequence = node.as(SequenceExprSyntax.self), sequence.elements.count == 3,
      let target = sequence.elements.first, let value = sequence.elements.last,
      let symbol = sequence.elements.dropFirst().first
    else { return nil }
    if target.is(DiscardAssignmentExprSyntax.self) {
      return value.as(FunctionCallExprSyntax.self).flatMap { self.target(of: $0) }
    }
    guard symbol.is(AssignmentExprSyntax.self), target.textWithoutSelf == text else { return nil }
    switch state {
    case .isFalse: return value.trimmedDescription == "true" ? target : nil
    case .isNil:
      let isResult = value.suspends || value.mentions(anyOf: awaited)
      return value.is(NilLiteralExprSyntax.self) || isResult ? nil : target
    case .isCase(let name):
      guard let new = value.enumCase, new != name else { return nil }
      return Requirement.isAboutRunning(new) && !Requirement.isAboutRunning(name) ? target : nil
    case .isNotCase(let name): return value.enumCase == name ? target : nil
    case .isWithout: return nil
    }
  }

  /// `flag.toggle()`, `running.insert(id)` and `running.append(id)`.
  private func target(of call: FunctionCallExprSyntax) -> ExprSyntax? {
    guard let member = call.calledExpression.as(MemberAccessExprSyntax.self),
      let base = member.base, base.textWithoutSelf == text
    else { return nil }
    switch (member.declName.baseName.text, state) {
    case ("toggle", .isFalse): return call.arguments.isEmpty ? base : nil
    case ("insert", .isWithout(let element)), ("append", .isWithout(let element)):
      return call.arguments.first?.expression.trimmedDescription == element ? base : nil
    default: return nil
    }
  }
}
