import SwiftSyntax

/// A `catch` shows any error to people, even the error of a cancellation.
///
/// If the task is cancelled, for example because a view disappears or a newer search starts, the
/// call throws `CancellationError`, and people see a failure although nothing has failed.
///
/// Bad:
/// ```swift
/// do { items = try await service.items() } catch { errorText = error.localizedDescription }
/// ```
///
/// Good:
/// ```swift
/// do {
///   items = try await service.items()
/// } catch is CancellationError {
/// } catch {
///   errorText = error.localizedDescription
/// }
/// ```
///
/// `URLSession` throws `URLError` with the code `cancelled` instead. Reported on the main actor for
/// a `catch` of a `do` that awaits, in two cases: the `catch` assigns the error to a stored
/// property, or it assigns a text or `true` to a property whose name is about failures. Off by
/// default: the syntax does not show which tasks are cancelled.
enum CancellationShown: Rule {
  static let id = "cancellation-shown"
  static let isDefault = false

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    let bodies =
      file.facts.functions.compactMap { $0.body.map(\.statements) }
      + file.facts.closures.map(\.statements)
    return bodies.flatMap { $0.directDescendants(DoStmtSyntax.self) }.compactMap { attempt in
      guard let last = attempt.catchClauses.last, file.isolation(at: attempt) == .mainActor,
        attempt.body.directDescendants(TryExprSyntax.self).contains(where: {
          $0.questionOrExclamationMark == nil && $0.expression.is(AwaitExprSyntax.self)
        }),
        !attempt.catchClauses.contains(where: \.handlesCancellation),
        !attempt.body.mentions("checkCancellation"),
        let name = file.enclosingType(of: attempt), let type = file.types.entries[name]
      else { return nil }
      let stored = Set(type.storedVariables.filter(\.isVar).flatMap(\.boundNames))
      let error = last.errorName
      let shown = last.body.directDescendants(SequenceExprSyntax.self).first { sequence in
        guard sequence.isAssignment, let target = sequence.elements.first?.memberOfSelf,
          let value = sequence.elements.last
        else { return false }
        return stored.contains(target) && (value.mentions(error) || value.tellsFailure(in: target))
      }
      guard let shown, let target = shown.elements.first else { return nil }
      return finding(
        at: target, "a cancellation is stored here as a failure that people see",
        advice: "write 'catch is CancellationError' before this 'catch'")
    }
  }
}

extension ExprSyntax {
  /// Whether the value is a text or `true` for a property whose name is about failures.
  fileprivate func tellsFailure(in property: String) -> Bool {
    let name = property.lowercased()
    guard ["error", "message", "alert", "fail"].contains(where: name.contains) else { return false }
    return self.is(StringLiteralExprSyntax.self) || trimmedDescription == "true"
      || self.as(FunctionCallExprSyntax.self)?.arguments.first?.expression.is(
        StringLiteralExprSyntax.self) == true
  }
}

extension CatchClauseSyntax {
  fileprivate var handlesCancellation: Bool {
    tokens(viewMode: .sourceAccurate).contains { $0.text.lowercased().contains("cancel") }
  }

  /// The name of the error: `error`, or `failure` in `catch let failure`.
  fileprivate var errorName: String {
    descendants(IdentifierPatternSyntax.self).first { $0.start < body.start }?.identifier.text
      ?? "error"
  }
}
