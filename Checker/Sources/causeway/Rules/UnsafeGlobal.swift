import SwiftSyntax

/// A `nonisolated(unsafe)` global or static variable that functions write.
///
/// Any thread can read the variable while a function writes it, and the compiler does not check
/// this.
///
/// Bad:
/// ```swift
/// enum Settings {
///   nonisolated(unsafe) static var theme = Theme.light
///   static func use(_ new: Theme) { theme = new }
/// }
/// ```
///
/// Good:
/// ```swift
/// enum Settings {
///   static let theme = Mutex(Theme.light)
///   static func use(_ new: Theme) { theme.withLock { $0 = new } }
/// }
/// ```
///
/// Reported for a variable that a function of the same file changes outside of a lock. Off by
/// default: the syntax does not show whether the program writes the variable only at its start.
enum UnsafeGlobal: Rule {
  static let id = "unsafe-global"
  static let isDefault = false
  private static let locks: Set<String> = [
    "withLock", "withLockUnchecked", "withLockedValue", "lock", "sync", "os_unfair_lock_lock",
    "pthread_mutex_lock", "barrier",
  ]

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return file.facts.variables.compactMap { variable in
      guard variable.isVar, variable.isStored,
        let modifier = variable.modifiers.first(.nonisolated),
        modifier.detail?.detail.text == "unsafe", let name = variable.boundNames.first,
        variable.modifiers.isStatic
          || variable.parent?.parent?.parent?.is(SourceFileSyntax.self) == true,
        file.facts.functions.contains(where: { isWritten(name, in: $0) })
      else { return nil }
      return finding(
        at: modifier, "functions write '\(name)' while other threads can read it",
        advice: "put it behind a 'Mutex', or isolate it to an actor")
    }
  }

  private static func isWritten(_ name: String, in function: FunctionDeclSyntax) -> Bool {
    guard let body = function.body, !body.mentions(anyOf: locks),
      !function.declaresLocally(name)
    else { return false }
    return body.descendants(SequenceExprSyntax.self).contains { sequence in
      guard sequence.isAssignment, let path = sequence.elements.first?.path else { return false }
      return path.split(separator: ".").last.map(String.init) == name
    }
  }
}
