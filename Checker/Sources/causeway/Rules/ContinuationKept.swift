import SwiftSyntax

/// A stored continuation that stays in its property after a resume.
///
/// The next code that resumes the property resumes the same continuation again, and the program
/// traps.
///
/// Bad:
/// ```swift
/// func close() {
///   continuation?.resume(throwing: Closed())
/// }
/// func didFail(_ error: any Error) {  // also called after close()
///   continuation?.resume(throwing: error)
///   continuation = nil
/// }
/// ```
///
/// Good:
/// ```swift
/// func close() {
///   continuation?.resume(throwing: Closed())
///   continuation = nil
/// }
/// ```
///
/// The property can also be a dictionary of continuations. Reported in classes and actors, for a
/// method that resumes the continuation and leaves it in the property, if another method also
/// resumes the property and both methods can run. Both can run if one of them closes, cancels or
/// ends something, or is a callback that other callbacks can follow, such as `didReceive` or
/// `didUpdateLocations`. Also reported for code that stores a continuation and then resumes it
/// itself. Not reported for two callbacks if only one of them is called, such as `didFinish` and
/// `didFail`. Not reported for methods that check other state of the object, or that call a method
/// that changes the property.
enum ContinuationKept: Rule {
  static let id = "continuation-kept"

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return file.facts.types.flatMap { declaration -> [Finding] in
      guard [.class, .actor].contains(declaration.kind),
        let name = file.types.resolve(declaration.name), let type = file.types.entries[name],
        type.declarations.count == 1
      else { return [] }
      return type.optionalContinuations.flatMap { property in
        findings(about: property, in: type, file)
      }
    }
  }

  private static func findings(
    about property: String, in type: TypeTable.Entry, _ file: CheckedFile
  ) -> [Finding] {
    let members = type.everyMember.map(\.decl)
      .filter { $0.is(FunctionDeclSyntax.self) || $0.is(DeinitializerDeclSyntax.self) }
    let writers = Set(
      members.filter { $0.changes(property) }
        .compactMap { $0.as(FunctionDeclSyntax.self)?.name.text })
    let sites = members.compactMap { Site($0, property, type) }
    let root = Syntax(file.source.tree).id
    let kept = sites.filter { site in
      !site.changes && !site.member.mentions(anyOf: writers.subtracting([site.function]))
    }
    var found = kept.compactMap { site -> Finding? in
      guard site.member.root.id == root,
        sites.contains(where: { $0.member.id != site.member.id && site.canPrecede($0) })
      else { return nil }
      return finding(
        at: site.resume,
        "'\(property)' keeps the continuation after this resume, other code resumes it again, and "
          + "that traps",
        advice: "set '\(property)' to nil when you resume it")
    }
    for member in members where member.root.id == root && !sites.isEmpty {
      guard let resume = resumeAfterStoring(in: member, property),
        sites.contains(where: { $0.member.id != member.id })
      else { continue }
      found.append(
        finding(
          at: resume,
          "'\(property)' also holds this continuation, other code resumes it again, and that traps",
          advice: "store the continuation only on the paths that do not resume it"))
    }
    return found
  }

  /// A resume of a continuation that the same closure has stored and leaves in its property.
  private static func resumeAfterStoring(
    in member: DeclSyntax, _ property: String
  ) -> FunctionCallExprSyntax? {
    for call in member.descendants(FunctionCallExprSyntax.self) {
      guard KnownNames.continuations.contains(call.calleeName ?? ""),
        let closure = call.closureArgument, let name = closure.parameterNames.first
      else { continue }
      let writes = closure.memberWrites.filter { $0.name == property }
      // The assignment runs on all paths, before the resume.
      let stored = closure.statements.first { item in
        item.item.as(SequenceExprSyntax.self)?.elements.last?.path == name
          && item.item.as(SequenceExprSyntax.self)?.elements.first?.textWithoutSelf == property
      }
      guard writes.count == 1, let stored, name != property || closure.mentions("self") else {
        continue
      }
      let resume = closure.statements.directDescendants(FunctionCallExprSyntax.self).first {
        $0.calleePath == name + ".resume" && $0.start > stored.start
      }
      if let resume { return resume }
    }
    return nil
  }

  /// A member that resumes the property.
  private struct Site {
    let member: DeclSyntax
    /// The name of the function, and the name with the labels of the parameters.
    let function: String
    let name: String
    let resume: FunctionCallExprSyntax
    let changes: Bool
    /// The stored properties in conditions, and those that the member changes.
    let asked: Set<String>
    let written: Set<String>

    init?(_ member: DeclSyntax, _ property: String, _ type: TypeTable.Entry) {
      let alias = member.unwrappedName(of: property)
      let elements = member.elementNames(of: property)
      let resume = member.descendants(FunctionCallExprSyntax.self).first { call in
        guard let callee = call.calledExpression.as(MemberAccessExprSyntax.self),
          callee.declName.baseName.text == "resume", let base = callee.base
        else { return false }
        if let path = base.path, path == alias || elements.contains(path) { return true }
        guard base.memberOfSelf == property else { return false }
        let path = base.withoutSubscript.path
        return path?.split(separator: ".").last.map(String.init) == property
      }
      guard let resume, alias == property || !member.declaresLocally(property) else { return nil }
      self.member = member
      self.resume = resume
      function = member.as(FunctionDeclSyntax.self)?.name.text ?? "deinit"
      name = member.as(FunctionDeclSyntax.self)?.fullName ?? "deinit"
      changes = member.changes(property)
      let stored = Set(type.storedVariables.flatMap(\.boundNames)).subtracting([property])
      asked = Set(
        member.descendants(ConditionElementSyntax.self)
          .flatMap { $0.tokens(viewMode: .sourceAccurate).map(\.text) }
      ).intersection(stored)
      written = member.writtenMembers.intersection(stored)
    }

    private static let ending = [
      "close", "cancel", "stop", "disconnect", "invalidate", "reset", "timeout", "timedout",
      "abort", "shutdown", "teardown", "dispose", "deinit",
    ]
    private static let repeated = ["didreceive", "didupdate", "didchange", "didsend", "didoutput"]

    private var endsSomething: Bool {
      let isCallback = name.contains("Did") || name.contains("did")
      return !isCallback && Site.ending.contains(where: name.lowercased().contains)
    }

    private var isEarlyCallback: Bool { Site.repeated.contains(where: name.lowercased().contains) }

    /// Whether another member can run after this one, as far as names show it.
    func canPrecede(_ other: Site) -> Bool {
      // A flag that one member sets and the other one checks can exclude the second resume.
      guard function != "deinit", asked.isDisjoint(with: other.written),
        other.asked.isDisjoint(with: written), asked.isDisjoint(with: written)
      else { return false }
      return endsSomething || isEarlyCallback || other.endsSomething
    }
  }
}

extension TypeTable.Entry {
  /// The stored properties that are optional continuations, or dictionaries of continuations.
  fileprivate var optionalContinuations: [String] {
    let dictionaries = storedVariables.filter(\.isVar).filter { variable in
      variable.bindings.contains { binding in
        let type = binding.typeAnnotation?.type.as(DictionaryTypeSyntax.self)
        return type?.value.simpleName?.hasSuffix("Continuation") == true
          && type?.value.trimmedDescription.hasPrefix("AsyncStream") == false
          && type?.value.trimmedDescription.hasPrefix("AsyncThrowingStream") == false
      }
    }
    return storedVariables.flatMap(\.boundNames).filter(holdsContinuation)
      + dictionaries.flatMap(\.boundNames)
  }
}

extension FunctionDeclSyntax {
  /// The name with the labels of the parameters.
  fileprivate var fullName: String {
    ([name.text] + signature.parameterClause.parameters.map(\.firstName.text)).joined()
  }
}

extension ExprSyntax {
  /// The collection of an element: `waiters` for `waiters[id]`.
  fileprivate var withoutSubscript: ExprSyntax {
    let inner = self.as(OptionalChainingExprSyntax.self)?.expression ?? self
    return inner.as(SubscriptCallExprSyntax.self)?.calledExpression ?? self
  }
}

extension DeclSyntax {
  /// The name that `if let` or `guard let` gives the value of a property.
  fileprivate func unwrappedName(of property: String) -> String? {
    for binding in descendants(OptionalBindingConditionSyntax.self) {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
        continue
      }
      let value = binding.initializer?.value
      let isShort = value == nil && name == property
      if isShort || value?.textWithoutSelf == property { return name }
    }
    return nil
  }

  /// The names of the elements in loops over a collection, also in `forEach`.
  fileprivate func elementNames(of property: String) -> Set<String> {
    let loops = descendants(ForStmtSyntax.self).filter { $0.sequence.memberOfSelf == property }
    let names = loops.flatMap { loop in
      (loop.pattern.as(IdentifierPatternSyntax.self).map { [$0] } ?? [])
        + loop.pattern.descendants(IdentifierPatternSyntax.self)
    }
    let calls = descendants(FunctionCallExprSyntax.self).filter { call in
      let member = call.calledExpression.as(MemberAccessExprSyntax.self)
      return member?.declName.baseName.text == "forEach" && member?.base?.memberOfSelf == property
    }
    return Set(
      names.map(\.identifier.text)
        + calls.compactMap { $0.closureArgument?.parameterNames.last ?? "$0" })
  }

  /// Whether the member changes a property, or takes its value.
  fileprivate func changes(_ property: String) -> Bool {
    writtenMembers.contains(property)
      || descendants(FunctionCallExprSyntax.self).contains { call in
        let member = call.calledExpression.as(MemberAccessExprSyntax.self)
        return member?.declName.baseName.text == "take" && member?.base?.memberOfSelf == property
      }
  }
}
