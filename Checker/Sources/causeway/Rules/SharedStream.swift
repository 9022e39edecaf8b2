import SwiftSyntax

/// Two loops read one `AsyncStream`.
///
/// A stream of the standard library gives each element to one loop only. If two loops read it, each
/// gets some of the elements.
///
/// Bad:
/// ```swift
/// let (events, continuation) = AsyncStream.makeStream(of: Event.self)
/// func showEvents() async { for await event in events { show(event) } }
/// func logEvents() async { for await event in events { log(event) } }
/// ```
///
/// Good:
/// ```swift
/// func events() -> AsyncStream<Event> { … }  // a new stream for each reader
/// ```
///
/// Reported for a stored `AsyncStream` or `AsyncThrowingStream`, if loops in two functions or two
/// tasks of its type read it. Also reported for a local stream, if loops in two tasks read it, or a
/// loop in a task that is started several times. A loop over `events.map { … }` also reads
/// `events`.
enum SharedStream: Rule {
  static let id = "shared-stream"

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return storedFindings(file) + file.facts.variables.flatMap(localFindings)
  }

  /// Loops in two tasks that read a local stream.
  private static func localFindings(_ variable: VariableDeclSyntax) -> [Finding] {
    guard let list = variable.parent?.parent?.as(CodeBlockItemListSyntax.self) else { return [] }
    return variable.streams.compactMap { stream in
      let loops = list.descendants(ForStmtSyntax.self).filter { loop in
        guard loop.isAsync, loop.reads(stream) else { return false }
        // If the loops are in two branches, only one of them runs.
        let around = loop.ancestors.prefix { $0.id != list.id }
        return !around.contains { [.ifExpr, .switchExpr, .guardStmt].contains($0.kind) }
      }
      if let repeated = loops.first(where: { $0.isStartedInLoop(inside: list.id) }) {
        return finding(at: repeated, stream)
      }
      // Loops of one task run one after the other.
      guard let second = loops.first(where: { $0.enclosingTask != loops[0].enclosingTask }) else {
        return nil
      }
      return finding(at: second, stream)
    }
  }

  private static func finding(at loop: ForStmtSyntax, _ stream: String) -> Finding {
    finding(
      at: loop.sequence,
      "another loop also reads '\(stream)', and each element goes to one of them only",
      advice: "make a stream for each reader")
  }

  private static func storedFindings(_ file: CheckedFile) -> [Finding] {
    file.facts.types.flatMap { declaration -> [Finding] in
      guard declaration.kind != .extension, declaration.kind != .protocol,
        let name = file.types.resolve(declaration.name), let type = file.types.entries[name],
        type.declarations.count == 1
      else { return [] }
      return type.streams.compactMap { stream in
        var readers: [(reader: String, loop: ForStmtSyntax)] = []
        for member in type.everyMember where !member.declaresLocally(stream) {
          // Functions with one name are alternatives.
          guard let name = member.decl.bodyName else { continue }
          for loop in member.descendants(ForStmtSyntax.self)
          where loop.isAsync && loop.reads(stream) {
            if loop.isStartedInLoop(inside: member.id) { return finding(at: loop, stream) }
            let task = loop.taskInAllPaths.map { "\($0.start)" } ?? ""
            readers.append((name + task, loop))
          }
        }
        guard let first = readers.first,
          let second = readers.first(where: { $0.reader != first.reader })?.loop,
          second.root.id == declaration.node.root.id
        else { return nil }
        return finding(at: second, stream)
      }
    }
  }
}

extension ForStmtSyntax {
  /// Whether the loop reads a property, directly or through functions such as `map`.
  fileprivate func reads(_ property: String) -> Bool {
    sequence.withoutEffects.root(property)
  }

  /// The innermost closure around the loop, if it is the body of a task, also of SwiftUI's `task`.
  fileprivate var enclosingTask: ClosureExprSyntax? {
    let closure = ancestors.first { $0.is(ClosureExprSyntax.self) }?.as(ClosureExprSyntax.self)
    let isOther = ["addTask", "addTaskUnlessCancelled", "task"].contains(
      closure?.enclosingCall?.calleeName ?? "")
    return closure?.isTask == true || isOther ? closure : nil
  }

  /// The task around the loop, if no branch decides whether it starts.
  fileprivate var taskInAllPaths: ClosureExprSyntax? {
    guard let task = enclosingTask else { return nil }
    let around = task.ancestors.prefix {
      ![.functionDecl, .initializerDecl, .variableDecl].contains($0.kind)
    }
    return around.contains { [.ifExpr, .switchExpr].contains($0.kind) } ? nil : task
  }

  /// Whether another loop starts the task around this one in each turn.
  fileprivate func isStartedInLoop(inside end: SyntaxIdentifier) -> Bool {
    guard let task = enclosingTask else { return false }
    return task.ancestors.prefix { $0.id != end }.contains {
      $0.is(ForStmtSyntax.self) || $0.is(WhileStmtSyntax.self)
    }
  }
}

extension ExprSyntax {
  fileprivate func root(_ property: String) -> Bool {
    if memberOfSelf == property { return textWithoutSelf == property }
    guard let call = self.as(FunctionCallExprSyntax.self),
      let member = call.calledExpression.as(MemberAccessExprSyntax.self),
      ["map", "filter", "compactMap", "prefix", "dropFirst"].contains(
        member.declName.baseName.text)
    else { return false }
    return member.base?.root(property) ?? false
  }
}

extension DeclSyntax {
  /// The name of a function, of an initializer or of a computed property; nil for other members.
  fileprivate var bodyName: String? {
    if let function = self.as(FunctionDeclSyntax.self) { return function.name.text }
    if self.is(InitializerDeclSyntax.self) { return "init" }
    guard let variable = self.as(VariableDeclSyntax.self), !variable.isStored else { return nil }
    return variable.boundNames.first
  }
}

extension TypeTable.Entry {
  /// The stored properties that are streams of the standard library.
  fileprivate var streams: [String] { storedVariables.flatMap(\.streams) }
}

extension VariableDeclSyntax {
  /// The names that the declaration binds to streams of the standard library.
  fileprivate var streams: [String] {
    bindings.flatMap { binding -> [String] in
      let type = binding.typeAnnotation?.type.simpleName ?? ""
      let value = binding.initializer?.value.as(FunctionCallExprSyntax.self)?.calleePath ?? ""
      let names = ["AsyncStream", "AsyncThrowingStream"]
      if let tuple = binding.pattern.as(TuplePatternSyntax.self) {
        guard names.contains(where: { value == $0 + ".makeStream" }) else { return [] }
        return tuple.elements.first?.pattern.as(IdentifierPatternSyntax.self)
          .map { [$0.identifier.text] } ?? []
      }
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
        return []
      }
      return names.contains(type) || names.contains(value) ? [name] : []
    }
  }
}
