import SwiftSyntax

/// A loop that runs one more turn after a cancellation.
///
/// `try? await Task.sleep` returns at once in a cancelled task, and the loop checks for
/// cancellation only in its condition. The statements after the sleep run once more: a request is
/// sent after `stop()`, or a view that has gone is animated.
///
/// Bad:
/// ```swift
/// while !Task.isCancelled {
///   try? await Task.sleep(for: .seconds(60))
///   await refresh()
/// }
/// ```
///
/// Good:
/// ```swift
/// while !Task.isCancelled {
///   do { try await Task.sleep(for: .seconds(60)) } catch { return }
///   await refresh()
/// }
/// ```
///
/// Reported if statements follow the sleep in its block and do not check for cancellation. Off by
/// default: one more turn is often harmless.
enum TurnAfterCancel: Rule {
  static let id = "turn-after-cancel"
  static let isDefault = false

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return file.facts.calls.compactMap { call in
      guard call.calleeName == "sleep", let attempt = call.discardingAttempt,
        let item = attempt.discardingStatement,
        let loop = item.enclosingLoop?.as(WhileStmtSyntax.self),
        loop.conditions.trimmedDescription.contains("!Task.isCancelled"),
        let list = item.parent?.as(CodeBlockItemListSyntax.self), list.parent?.id == loop.body.id
      else { return nil }
      let later = list.drop { $0.start <= item.start }
      guard !later.isEmpty,
        !later.contains(where: \.checksCancellation)
      else { return nil }
      return finding(
        at: attempt,
        "after a cancellation this sleep returns at once, and the rest of the turn runs nevertheless",
        advice: "end the loop if the sleep throws")
    }
  }
}
