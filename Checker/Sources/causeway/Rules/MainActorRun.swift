import SwiftSyntax

/// `await MainActor.run { … }` in code that is already on the main actor.
///
/// The call has no effect there. It looks like a hop that the code needs.
///
/// Bad:
/// ```swift
/// @MainActor
/// final class FeedModel {
///   func refresh() async {
///     let items = await service.items()
///     await MainActor.run { self.items = items }
///   }
/// }
/// ```
///
/// Good:
/// ```swift
/// @MainActor
/// final class FeedModel {
///   func refresh() async {
///     let items = await service.items()
///     self.items = items
///   }
/// }
/// ```
///
/// The fix replaces the call with the statements of its closure. There is no fix if the value of
/// the call is used, or if the closure has a `return`, a `defer`, a declaration or a signature.
/// `MainActor.run` can suspend, even on the main actor. After the fix, the statements can run
/// before other work that waits for the main actor.
enum MainActorRun: Rule {
  static let id = "main-actor-run"
  static let needsAllTargets = true

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.calls.compactMap { call in
      guard call.calleePath == "MainActor.run", file.isolation(at: call) == .mainActor else {
        return nil
      }
      return finding(
        at: call, "'MainActor.run' has no effect: this code is already on the main actor",
        advice: "remove the call and keep its statements", edits: edits(for: call, in: file.source))
    }
  }

  private static func edits(for call: FunctionCallExprSyntax, in source: SourceFile) -> [Edit] {
    guard let closure = call.closureArgument, closure.signature == nil,
      let item = statement(of: call), let first = closure.statements.first,
      let last = closure.statements.last,
      closure.directDescendants(ReturnStmtSyntax.self).isEmpty,
      closure.directDescendants(DeferStmtSyntax.self).isEmpty,
      closure.statements.allSatisfy({ !$0.item.is(DeclSyntax.self) }),
      !hasComment(closure.rightBrace.leadingTrivia),
      !hasComment(closure.leftBrace.trailingTrivia), yieldsNothing(closure)
    else { return [] }
    let body = source[first.start..<last.end]
    guard !body.contains("\"\"\"") else { return [] }
    let target = indentation(at: item.start, in: source)
    let current = indentation(at: first.start, in: source)
    var lines = body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if source.location(of: first.start).line != source.location(of: closure.start).line {
      for index in lines.indices.dropFirst() where lines[index].hasPrefix(current) {
        lines[index] = target + lines[index].dropFirst(current.count)
      }
    }
    // Comments above the first statement belong to it.
    var comments = ""
    for piece in first.leadingTrivia {
      if case .lineComment(let text) = piece { comments += text + "\n" + target }
      if case .docLineComment(let text) = piece { comments += text + "\n" + target }
      if case .blockComment = piece { return [] }
    }
    return [
      Edit(
        range: item.item.start..<item.item.end,
        replacement: comments + lines.joined(separator: "\n"))
    ]
  }

  /// The statement that consists of the call with `await` and `try`.
  private static func statement(of call: FunctionCallExprSyntax) -> CodeBlockItemSyntax? {
    var node = Syntax(call)
    while let parent = node.parent {
      if let item = parent.as(CodeBlockItemSyntax.self) {
        // The only statement of a closure or a function can be its value.
        guard let list = item.parent?.as(CodeBlockItemListSyntax.self) else { return nil }
        if list.count == 1 {
          guard let block = list.parent, block.is(CodeBlockSyntax.self) else { return nil }
          if let function = block.parent?.as(FunctionDeclSyntax.self),
            function.signature.returnClause != nil
          {
            return nil
          }
        }
        return item
      }
      guard parent.is(AwaitExprSyntax.self) || parent.is(TryExprSyntax.self) else { return nil }
      if let attempt = parent.as(TryExprSyntax.self), attempt.questionOrExclamationMark != nil {
        return nil
      }
      node = parent
    }
    return nil
  }

  /// Whether a closure returns no value.
  ///
  /// A closure of one expression returns the value of the expression. An assignment has no value. A
  /// call has no value if the compiler accepted the unused result of the whole statement.
  private static func yieldsNothing(_ closure: ClosureExprSyntax) -> Bool {
    guard closure.statements.count == 1, let only = closure.statements.first?.item else {
      return true
    }
    if only.is(ExprSyntax.self), let expression = only.as(ExprSyntax.self) {
      let inner = expression.withoutEffects
      return inner.is(SequenceExprSyntax.self) || inner.is(FunctionCallExprSyntax.self)
        || inner.is(OptionalChainingExprSyntax.self)
    }
    return true
  }

  private static func hasComment(_ trivia: Trivia) -> Bool {
    trivia.contains { !$0.isWhitespace }
  }

  private static func indentation(at offset: Int, in source: SourceFile) -> String {
    let line = source.line(source.location(of: offset).line)
    return String(line.prefix { $0 == " " || $0 == "\t" })
  }
}
