import SwiftSyntax

/// `Task { @MainActor in … }` where the task is on the main actor without the annotation.
///
/// A `Task` that main-actor code creates runs on the main actor. The annotation suggests that the
/// code around the task is not on the main actor.
///
/// Bad:
/// ```swift
/// @MainActor
/// final class FeedModel {
///   func start() {
///     Task { @MainActor in await refresh() }
///   }
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
/// }
/// ```
///
/// Not reported inside `@Sendable` closures, detached tasks and escaping closures of unknown
/// functions. There, the annotation isolates the task.
enum MainActorTask: Rule {
  static let id = "main-actor-task"
  static let needsAllTargets = true

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.calls.compactMap { call in
      guard ["Task", "Task.init"].contains(call.calleePath), let closure = call.closureArgument,
        let signature = closure.signature,
        let attribute = signature.attributes.first(named: "MainActor"),
        file.isolation(at: call) == .mainActor
      else { return nil }
      return finding(
        at: attribute,
        "'@MainActor' is redundant: this task is created on the main actor "
          + "and stays there", advice: "remove the annotation",
        edits: [removal(of: attribute, from: signature, in: closure)])
    }
  }

  private static func removal(
    of attribute: AttributeSyntax, from signature: ClosureSignatureSyntax,
    in closure: ClosureExprSyntax
  ) -> Edit {
    let isAlone =
      signature.attributes.count == 1 && signature.capture == nil
      && signature.parameterClause == nil && signature.returnClause == nil
      && signature.effectSpecifiers == nil
    if isAlone {
      let before = closure.leftBrace.trailingTrivia + attribute.leadingTrivia
      let end = signature.inKeyword.end
      // The edit also removes a blank after `in`. Without a blank, the rest of the line is empty.
      if signature.inKeyword.trailingTrivia.first?.isSpaceOrTab == true {
        return Edit(range: attribute.start..<end + 1, replacement: "")
      }
      guard before.allSatisfy(\.isWhitespace) else {
        return Edit(range: attribute.start..<end, replacement: "")
      }
      return Edit(range: closure.leftBrace.end..<end, replacement: "")
    }
    return Edit(
      range: attribute.start..<attribute.endPosition.utf8Offset, replacement: "")
  }
}
