import SwiftSyntax

/// Code on an actor checks a flag, suspends, and then sets the flag without a new check.
///
/// At the `await`, another call can run on the same actor. It also passes the check, so both calls
/// do the work that the flag should allow only once. The compiler does not report it: there is no
/// data race.
///
/// Bad:
/// ```swift
/// @MainActor
/// func sync() async {
///   guard !isSyncing else { return }
///   let token = await session.token()
///   isSyncing = true
///   …
/// }
/// ```
///
/// Good:
/// ```swift
/// @MainActor
/// func sync() async {
///   guard !isSyncing else { return }
///   isSyncing = true
///   defer { isSyncing = false }
///   let token = await session.token()
///   …
/// }
/// ```
///
/// Reported in main-actor types and in actors, for a stored property that a condition requires to
/// be `false`, `nil` or a case of an enum, if a later statement sets it to `true`, to a value or to
/// another case. Also reported for a collection, if the condition requires that it does not contain
/// an element and a later statement adds the element. The condition can use a computed property.
/// The statement can be in a nested block or in a task that the code starts; `for await` suspends
/// too. A flag, a case or a collection has to say that something is running: `isSyncing`,
/// `hasStarted`, `.loading`, `loadingIDs`. A flag such as `isLoaded` is not reported, because it is
/// set after the work on purpose. Not reported when the code names the property between the `await`
/// and the assignment, when the assigned value comes from the awaited result, and when the early
/// return returns the value of the property: that is a cache, which may load a value twice.
enum CheckThenAct: Rule {
  static let id = "check-then-act"

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    var readers: [String: RequirementReader] = [:]
    return file.suspendingLists.flatMap { lists -> [Finding] in
      guard let name = file.enclosingType(of: lists[0]), let type = file.types.entries[name]
      else { return [] }
      let reader = readers[name] ?? RequirementReader(type: type)
      readers[name] = reader
      return lists.flatMap { findings(in: $0, reader) }
    }
  }

  private static func findings(
    in statements: CodeBlockItemListSyntax, _ reader: RequirementReader
  ) -> [Finding] {
    let items = Array(statements)
    return items.indices.flatMap { index -> [Finding] in
      let item = items[index]
      let later = reader.requirements(after: item).map { ($0, items[(index + 1)...]) }
      let inside = reader.requirements(inside: item).map { ($0.0, Array($0.1)[...]) }
      for (requirement, items) in later + inside {
        var search = SuspensionSearch(requirement)
        search.run(items)
        guard let target = search.found else { continue }
        // One statement can have several conditions about the same property.
        return [
          finding(
            at: target,
            "'\(requirement.text)' was checked before an 'await': another call can have passed the "
              + "same check since",
            advice: "set it before the 'await', or check it again")
        ]
      }
      return []
    }
  }
}

extension CheckedFile {
  /// The first list of a function has all its statements.
  ///
  /// The other lists are those of nested blocks.
  ///
  /// The first list of a function has all its statements, the others are those of nested blocks.
  var suspendingLists: [[CodeBlockItemListSyntax]] {
    let bodies =
      facts.functions.compactMap { $0.body.map(\.statements) } + facts.closures.map(\.statements)
    return bodies.compactMap { statements in
      guard facts.mayWait(statements), let first = statements.first,
        [.mainActor, .actorInstance].contains(isolation(at: first))
      else { return nil }
      return [statements] + statements.directDescendants(CodeBlockItemListSyntax.self)
    }
  }
}
