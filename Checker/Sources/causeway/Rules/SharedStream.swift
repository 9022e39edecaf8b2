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
/// Reported for a stored `AsyncStream` or `AsyncThrowingStream` that loops in two functions of its
/// type read. A loop can also be over `events.map { … }`.
enum SharedStream: Rule {
  static let id = "shared-stream"

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return file.facts.types.flatMap { declaration -> [Finding] in
      guard declaration.kind != .extension, declaration.kind != .protocol,
        let name = file.types.resolve(declaration.name), let type = file.types.entries[name],
        type.declarations.count == 1
      else { return [] }
      return type.streams.compactMap { stream in
        var readers: [(member: SyntaxIdentifier, loop: ForStmtSyntax)] = []
        for member in type.everyMember where member.decl.is(FunctionDeclSyntax.self) {
          for loop in member.descendants(ForStmtSyntax.self)
          where loop.isAsync && loop.reads(stream) && !member.declaresLocally(stream) {
            readers.append((member.id, loop))
          }
        }
        guard Set(readers.map(\.member)).count > 1,
          let second = readers.first(where: { $0.member != readers[0].member })?.loop,
          second.root.id == declaration.node.root.id
        else { return nil }
        return finding(
          at: second.sequence,
          "another loop also reads '\(stream)', and each element goes to one of them only",
          advice: "make a stream for each reader")
      }
    }
  }
}

extension ForStmtSyntax {
  /// Whether the loop reads a property, directly or through functions such as `map`.
  fileprivate func reads(_ property: String) -> Bool {
    sequence.withoutEffects.root(property)
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

extension TypeTable.Entry {
  /// The stored properties that are streams of the standard library.
  fileprivate var streams: [String] {
    storedVariables.flatMap { variable -> [String] in
      variable.bindings.flatMap { binding -> [String] in
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
}
