import SwiftSyntax

/// An async function that waits in a loop and ignores a cancellation.
///
/// In a cancelled task, `Task.sleep` returns at once, and `try?` discards the error. The loop then
/// runs without a pause until its condition changes, or until its time is over.
///
/// Bad:
/// ```swift
/// func waitUntilReady() async {
///   while !isReady { try? await Task.sleep(for: .milliseconds(50)) }
/// }
/// ```
///
/// Good:
/// ```swift
/// func waitUntilReady() async throws {
///   while !isReady { try await Task.sleep(for: .milliseconds(50)) }
/// }
/// ```
///
/// Reported for `while` and `repeat` loops of async functions, except for those that
/// `cancellation-swallowed` reports. Not reported when the code checks for cancellation, when the
/// loop counts its turns, and in command-line tools. Off by default: the syntax does not show
/// whether anything cancels the function.
enum WaitIgnoresCancel: Rule {
  static let id = "wait-ignores-cancel"
  static let isDefault = false

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest, !file.isCommandLine else { return [] }
    return file.facts.calls.compactMap { call in
      guard call.calleeName == "sleep", let attempt = call.discardingAttempt,
        let loop = attempt.discardingStatement?.enclosingLoop, !loop.isWithoutCondition,
        !CancellationSwallowed.endsEarly(loop),
        let function = loop.ancestors.first(where: {
          $0.is(FunctionDeclSyntax.self) || $0.is(ClosureExprSyntax.self)
        })?.as(FunctionDeclSyntax.self),
        function.signature.effectSpecifiers?.asyncSpecifier != nil
      else { return nil }
      return finding(
        at: attempt,
        "after a cancellation this sleep returns at once, and the loop runs without a pause",
        advice: "end the loop if the sleep throws, or check 'Task.isCancelled' in its condition")
    }
  }
}
