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
/// Reported in main-actor types and in actors, for a stored property that a condition requires to be
/// `false`, `nil` or a case of an enum, also through a computed property, and that a later statement
/// sets to `true`, to a value or to another case. The statement can be in a nested block or in a task
/// that the code starts; `for await` suspends too. A flag or a case has to say that something is
/// running: `isSyncing`, `hasStarted`, `.loading`. A flag such as `isLoaded` is right to be set after
/// the work. Not reported when the code names the property between the `await` and the assignment,
/// when the assigned value comes from the awaited result, and when the early return returns the
/// value of the property: a cache that loads a value twice is often right.
enum CheckThenAct: Rule {
  static let id = "check-then-act"

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    let functions = file.facts.functions.compactMap { $0.body.map(\.statements) }
    let closures = file.facts.closures.map(\.statements)
    return (functions + closures).flatMap { statements -> [Finding] in
      guard statements.contains(where: { $0.suspends || $0.mentions("await") }),
        let name = file.enclosingType(of: statements), let type = file.types.entries[name],
        [.mainActor, .actorInstance].contains(isolation(of: statements, file))
      else { return [] }
      let reader = RequirementReader(type: type)
      let lists = [statements] + statements.directDescendants(CodeBlockItemListSyntax.self)
      return lists.flatMap { findings(in: $0, reader) }
    }
  }

  private static func isolation(
    of statements: CodeBlockItemListSyntax, _ file: CheckedFile
  ) -> Isolation {
    statements.first.map { file.isolation(at: $0) } ?? .unknown
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
        var search = ActSearch(requirement)
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
