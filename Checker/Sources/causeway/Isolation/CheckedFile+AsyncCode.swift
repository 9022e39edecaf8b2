import SwiftSyntax

extension CheckedFile {
  private static let testModules: Set<String> = ["XCTest", "Testing", "Quick", "Nimble"]

  /// Whether the file belongs to tests or benchmarks, by its imports or its folder.
  var isTest: Bool {
    if !facts.imports.isDisjoint(with: CheckedFile.testModules) { return true }
    return source.path.split(separator: "/").contains { folder in
      ["Tests", "Mocks", "TestUtils", "Benchmarks"].contains { folder.hasSuffix($0) }
    }
  }

  /// Whether the file belongs to a command-line tool, by its imports, its folder or its calls.
  var isCommandLine: Bool {
    facts.imports.contains("ArgumentParser")
      || source.path.split(separator: "/").dropLast().contains { $0.contains("CLI") }
      || facts.calls.contains { ["exit", "Darwin.exit"].contains($0.calleePath) }
  }

  /// Whether the innermost function, accessor or closure around a node is `async`.
  ///
  /// A closure such as that of `withAnimation` is part of the code around it.
  func isInAsyncCode(_ node: some SyntaxProtocol) -> Bool {
    for ancestor in node.ancestors {
      if let function = ancestor.as(FunctionDeclSyntax.self) {
        return function.signature.effectSpecifiers?.asyncSpecifier != nil
      }
      if let initializer = ancestor.as(InitializerDeclSyntax.self) {
        return initializer.signature.effectSpecifiers?.asyncSpecifier != nil
      }
      if let accessor = ancestor.as(AccessorDeclSyntax.self) {
        return accessor.effectSpecifiers?.asyncSpecifier != nil
      }
      if let closure = ancestor.as(ClosureExprSyntax.self) {
        if closure.isAsync { return true }
        guard case .inherits = ClosureUse(closure, in: self) else { return false }
      }
      // A getter without `get`, or the initial value of a member, is synchronous.
      if ancestor.is(AccessorBlockSyntax.self) || ancestor.is(MemberBlockItemSyntax.self) {
        return false
      }
    }
    return false
  }
}

extension ClosureExprSyntax {
  /// Whether the closure is `async` by its signature, or the body of a task.
  fileprivate var isAsync: Bool {
    if signature?.effectSpecifiers?.asyncSpecifier != nil { return true }
    guard let call = enclosingCall else { return false }
    return [KnownNames.tasks, KnownNames.detachedTasks].contains {
      $0.contains(call.calleePath ?? "")
    } || KnownNames.childTasks.union(["task", "refreshable"]).contains(call.calleeName ?? "")
  }
}

extension SyntaxProtocol {
  /// The body of the innermost function, initializer, accessor or property around the node.
  var enclosingBody: Syntax? {
    for ancestor in ancestors {
      switch ancestor.kind {
      case .functionDecl, .initializerDecl, .deinitializerDecl, .accessorDecl, .subscriptDecl:
        return ancestor
      case .variableDecl where ancestor.parent?.is(MemberBlockItemSyntax.self) == true:
        return ancestor
      default: break
      }
    }
    return nil
  }
}
