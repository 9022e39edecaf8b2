import SwiftSyntax

/// The nodes of a file that the rules check, collected in one walk.
struct FileFacts: Sendable {
  var types: [DeclaredType] = []
  var functions: [FunctionDeclSyntax] = []
  var initializers: [InitializerDeclSyntax] = []
  var deinitializers: [DeinitializerDeclSyntax] = []
  var subscripts: [SubscriptDeclSyntax] = []
  var variables: [VariableDeclSyntax] = []
  var enumCases: [EnumCaseDeclSyntax] = []
  var aliases: [TypeAliasDeclSyntax] = []
  var calls: [FunctionCallExprSyntax] = []
  var closures: [ClosureExprSyntax] = []
  var attributes: [AttributeSyntax] = []
  var functionTypes: [FunctionTypeSyntax] = []
  var assignments: [InfixOperatorParts] = []
  var memberAccesses: [MemberAccessExprSyntax] = []
  /// The `effectName`s of literals and static members outside `cancel(…)`.
  var effectNames: Set<String> = []
  /// The names of enum cases that patterns match.
  var matchedCases: Set<String> = []
  /// The names of types with an object in a local constant, or with an object for only one call.
  var locallyMade: Set<String> = []
  /// The names of types that call `isKnownUniquelyReferenced`.
  var copyOnWriteTypes: Set<String> = []
  /// The places of `await`, `for await` and calls that start a task or use the main queue.
  private(set) var waits: [Int] = []
  var imports: Set<String> = []
  /// The names of all types that the file mentions, in annotations and in calls.
  var typeNames: Set<String> = []

  init(_ tree: SourceFileSyntax) {
    let collector = FactsCollector(viewMode: .sourceAccurate)
    collector.walk(tree)
    self = collector.facts
  }

  fileprivate init() {}

  fileprivate mutating func noteWait(at node: some SyntaxProtocol) {
    waits.append(node.position.utf8Offset)
  }

  /// Whether a node contains an `await`, or starts a task.
  ///
  /// Complexity: the logarithm of the number of such places in the file.
  func mayWait(_ node: some SyntaxProtocol) -> Bool {
    let start = node.position.utf8Offset
    var low = 0
    var high = waits.count
    while low < high {
      let middle = (low + high) / 2
      if waits[middle] < start { low = middle + 1 } else { high = middle }
    }
    return low < waits.count && waits[low] < node.endPosition.utf8Offset
  }
}

/// A type declaration or an extension, with the full name of the type.
struct DeclaredType: Sendable {
  let head: TypeHead
  let node: DeclSyntax
  /// The node of the declared name or of the extended type.
  let nameNode: Syntax
  let attributes: AttributeListSyntax
  let modifiers: DeclModifierListSyntax
  let inherited: [InheritedTypeSyntax]
  let members: MemberBlockItemListSyntax

  var kind: TypeHead.Kind { head.kind }
  var name: String { head.name }
  var isLocal: Bool { head.isLocal }
  var inheritedNames: [String] { head.inheritedNames }
}

/// The parts of `left operator right` with an assignment operator.
struct InfixOperatorParts: Sendable {
  let left: ExprSyntax
  let right: ExprSyntax
  let isPlain: Bool
}

private final class FactsCollector: SyntaxVisitor {
  var facts = FileFacts()
  private var names: [String] = []
  private var bodies = 0

  private func enter(
    _ kind: TypeHead.Kind, _ name: TokenSyntax, _ node: some DeclGroupSyntax
  ) -> SyntaxVisitorContinueKind {
    enter(kind, name.text, Syntax(name), node)
  }

  private func enter(
    _ kind: TypeHead.Kind, _ name: String, _ nameNode: Syntax, _ node: some DeclGroupSyntax
  ) -> SyntaxVisitorContinueKind {
    names.append(name)
    let head = TypeHead(
      kind: kind, name: names.joined(separator: "."), isLocal: bodies > 0,
      inheritedNames: node.inheritedNames,
      isolation: StatedIsolation(node.attributes, node.modifiers))
    facts.types.append(
      DeclaredType(
        head: head, node: DeclSyntax(node), nameNode: nameNode,
        attributes: node.attributes, modifiers: node.modifiers,
        inherited: node.inheritanceClause.map { Array($0.inheritedTypes) } ?? [],
        members: node.memberBlock.members))
    return .visitChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.class, node.name, node)
  }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.struct, node.name, node)
  }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.enum, node.name, node)
  }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.actor, node.name, node)
  }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.protocol, node.name, node)
  }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      .extension, node.extendedType.simpleName ?? "", Syntax(node.extendedType), node)
  }

  override func visitPost(_ node: ClassDeclSyntax) { names.removeLast() }
  override func visitPost(_ node: StructDeclSyntax) { names.removeLast() }
  override func visitPost(_ node: EnumDeclSyntax) { names.removeLast() }
  override func visitPost(_ node: ActorDeclSyntax) { names.removeLast() }
  override func visitPost(_ node: ProtocolDeclSyntax) { names.removeLast() }
  override func visitPost(_ node: ExtensionDeclSyntax) { names.removeLast() }

  override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind {
    bodies += 1
    return .visitChildren
  }
  override func visitPost(_ node: CodeBlockSyntax) { bodies -= 1 }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    facts.functions.append(node)
    return .visitChildren
  }
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    facts.initializers.append(node)
    return .visitChildren
  }
  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    facts.deinitializers.append(node)
    return .visitChildren
  }
  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    facts.subscripts.append(node)
    return .visitChildren
  }
  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    facts.variables.append(node)
    return .visitChildren
  }
  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind {
    facts.enumCases.append(node)
    return .visitChildren
  }
  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    facts.aliases.append(node)
    return .visitChildren
  }
  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    facts.calls.append(node)
    // These are names in the code that is read; the checker itself uses no queue.
    if ["Task", "Task.init", "DispatchQueue.main.async"].contains(node.calleePath) {
      facts.noteWait(at: node)
    }
    let binding = node.parent?.parent?.as(PatternBindingSyntax.self)
    let isLocal = binding?.parent?.parent?.as(VariableDeclSyntax.self)?.isMember == false
    // `Request().run()` keeps the object for this call only.
    let isForOneCall =
      node.parent?.is(MemberAccessExprSyntax.self) == true
      && node.parent?.parent?.is(FunctionCallExprSyntax.self) == true
    if isLocal || isForOneCall,
      let type = node.calleePath?.split(separator: ".").last(where: { $0 != "init" })
    {
      facts.locallyMade.insert(String(type))
    }
    if node.calleePath == "isKnownUniquelyReferenced" {
      facts.copyOnWriteTypes.insert(names.joined(separator: "."))
    }
    return .visitChildren
  }
  override func visit(_ node: AwaitExprSyntax) -> SyntaxVisitorContinueKind {
    facts.noteWait(at: node)
    return .visitChildren
  }
  override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
    if node.isAsync { facts.noteWait(at: node) }
    return .visitChildren
  }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
    facts.closures.append(node)
    bodies += 1
    return .visitChildren
  }
  override func visitPost(_ node: ClosureExprSyntax) { bodies -= 1 }
  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
    facts.attributes.append(node)
    return .visitChildren
  }
  override func visit(_ node: FunctionTypeSyntax) -> SyntaxVisitorContinueKind {
    facts.functionTypes.append(node)
    return .visitChildren
  }
  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    facts.typeNames.insert(node.name.text)
    return .visitChildren
  }
  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.baseName.text
    if name.first?.isUppercase == true { facts.typeNames.insert(name) }
    return .skipChildren
  }
  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    facts.memberAccesses.append(node)
    noteEffectName(ExprSyntax(node))
    return .visitChildren
  }
  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    noteEffectName(ExprSyntax(node))
    return .visitChildren
  }

  private func noteEffectName(_ expression: ExprSyntax) {
    let call = expression.parent?.parent?.parent?.as(FunctionCallExprSyntax.self)
    guard call?.calleeName != "cancel", let name = expression.effectName else { return }
    facts.effectNames.insert(name)
  }
  override func visit(_ node: SwitchCaseItemSyntax) -> SyntaxVisitorContinueKind {
    note(node.pattern)
    return .visitChildren
  }
  override func visit(_ node: MatchingPatternConditionSyntax) -> SyntaxVisitorContinueKind {
    note(node.pattern)
    return .visitChildren
  }

  private func note(_ pattern: PatternSyntax) {
    for member in pattern.descendants(MemberAccessExprSyntax.self) {
      facts.matchedCases.insert(member.declName.baseName.text)
    }
  }

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    if let module = node.path.first?.name.text { facts.imports.insert(module) }
    return .skipChildren
  }

  /// The parser does not build trees for operators: `a = b` is a sequence of three expressions.
  override func visit(_ node: ExprListSyntax) -> SyntaxVisitorContinueKind {
    guard node.count >= 3 else { return .visitChildren }
    let parts = Array(node)
    if parts[1].is(AssignmentExprSyntax.self) {
      facts.assignments.append(
        InfixOperatorParts(left: parts[0], right: parts[parts.count - 1], isPlain: true))
    } else if let symbol = parts[1].as(BinaryOperatorExprSyntax.self)?.operator.text,
      symbol.hasSuffix("="), !["==", "!=", "<=", ">=", "===", "!=="].contains(symbol)
    {
      facts.assignments.append(
        InfixOperatorParts(left: parts[0], right: parts[parts.count - 1], isPlain: false))
    }
    return .visitChildren
  }
}
