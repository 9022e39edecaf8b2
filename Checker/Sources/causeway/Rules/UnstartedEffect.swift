import SwiftParser
import SwiftSyntax

/// An effect id that is cancelled but never started.
///
/// Usually the id was renamed in only one of two places. The effect that should be cancelled then
/// continues.
///
/// Bad:
/// ```swift
/// case .search: return .perform(.latest, id: "search") { … }
/// case .clear: return .cancel("serach")
/// ```
///
/// Good:
/// ```swift
/// case .search: return .perform(.latest, id: .search) { … }
/// case .clear: return .cancel(.search)
/// ```
///
/// Reported when the id is a literal or a static member that the module uses only in `cancel`. Off
/// by default.
enum UnstartedEffect: Rule {
  static let id = "unstarted-effect"
  static let isDefault = false

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.calls.compactMap { call in
      guard ["Emission.cancel", ".cancel", "Effect.cancel"].contains(call.calleePath),
        call.arguments.count == 1, let argument = call.arguments.first,
        argument.label == nil || argument.label?.text == "id",
        let name = argument.expression.effectName, !file.types.effectNames.contains(name)
      else { return nil }
      return finding(
        at: argument.expression, "no effect in the module starts with the id \(name)",
        advice: "use the id that the effect is started with")
    }
  }
}

extension ExprSyntax {
  /// The effect's name if it does not depend on a variable: a literal, or the last name of `.name`
  /// or `Type.name`.
  var effectName: String? {
    if let literal = self.as(StringLiteralExprSyntax.self) {
      return literal.representedLiteralValue.map { "\"\($0)\"" }
    }
    guard let member = self.as(MemberAccessExprSyntax.self) else { return nil }
    if let base = member.base?.path, base.first?.isUppercase != true { return nil }
    return "'\(member.declName.baseName.text)'"
  }
}
