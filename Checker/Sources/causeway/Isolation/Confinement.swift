import SwiftSyntax

/// Finds out whether a lock, a queue or a thread protects the state of a class without isolation.
enum Confinement {
  /// Names that code uses to take a lock, to run on a queue, or to state where it runs.
  private static let words: Set<String> = [
    "objc_sync_enter", "withLock", "withLockedValue", "withLockUnchecked", "lock", "unlock",
    "withCriticalRegion", "performAndWait", "barrier", "sync", "os_unfair_lock_lock",
    "pthread_mutex_lock", "dispatchPrecondition", "preconditionInEventLoop",
    "assertInEventLoop", "inEventLoop", "preconditionIsolated", "assertIsolated",
    "assumeIsolated", "isMainThread",
  ]
  /// Parts of names of types whose objects belong to one thread, queue or event loop.
  private static let confiningTypes = ["EventLoop", "ManagedObjectContext", "Executor", "RunLoop"]

  /// Whether a class has a lock or a queue, takes the lock of another object, or states where it
  /// runs.
  ///
  /// Also true for storage that another type copies before it writes, and for a class whose
  /// superclass in another module may have the lock.
  static func isProtected(_ name: String, in types: TypeTable) -> Bool {
    if isCopyOnWriteStorage(name, in: types) { return true }
    var current: String? = name
    while let type = current {
      guard let entry = types.entries[type] else { return true }
      if hasProtection(entry) || mayInheritProtection(type, entry, in: types) { return true }
      current = types.superclass(of: type)
    }
    return false
  }

  /// Whether each type that stores the class, or encloses it, has a lock or a queue.
  static func hasProtectedOwner(_ name: String, in types: TypeTable) -> Bool {
    let parts = name.split(separator: ".").map(String.init)
    for count in 1..<max(1, parts.count) {
      let outer = parts.prefix(count).joined(separator: ".")
      if let entry = types.entries[outer], entry.kind == .actor || storesLock(entry) {
        return true
      }
    }
    guard let last = parts.last else { return false }
    let owners = types.entries.filter { owner, entry in
      owner != name
        && entry.storedVariables.contains { variable in
          variable.bindings.contains { $0.typeAnnotation?.mentions(last) == true }
        }
    }
    return !owners.isEmpty
      && owners.allSatisfy { _, entry in entry.isolation.isIsolated || storesLock(entry) }
  }

  private static func storesLock(_ entry: TypeTable.Entry) -> Bool {
    entry.everyMember.contains { member in
      member.decl.as(VariableDeclSyntax.self).map { $0.isStored && $0.isLock } ?? false
    }
  }

  private static func hasProtection(_ entry: TypeTable.Entry) -> Bool {
    if storesLock(entry) { return true }
    let isConfined = entry.storedVariables.contains { variable in
      let texts = variable.bindings.compactMap { $0.typeAnnotation?.type.trimmedDescription }
      return texts.contains { text in confiningTypes.contains { text.contains($0) } }
    }
    return isConfined || entry.everyMember.contains { $0.mentions(anyOf: words) }
  }

  /// Whether a type that calls `isKnownUniquelyReferenced` stores or encloses the class.
  private static func isCopyOnWriteStorage(_ name: String, in types: TypeTable) -> Bool {
    let last = name.split(separator: ".").last.map(String.init) ?? name
    return types.copyOnWriteTypes.contains { owner in
      let resolved = types.resolve(owner) ?? owner
      if name.hasPrefix(resolved + ".") { return true }
      return types.entries[resolved]?.storedVariables.contains { $0.mentions(last) } ?? false
    }
  }

  /// Whether the superclass is of another module.
  private static func mayInheritProtection(
    _ name: String, _ entry: TypeTable.Entry, in types: TypeTable
  ) -> Bool {
    guard types.superclass(of: name) == nil, let parent = entry.inheritedNames.first,
      types.type(parent) == nil, !KnownNames.neutralProtocols.contains(parent)
    else { return false }
    return !parent.hasSuffix("Protocol") && !parent.hasSuffix("Delegate")
      && !parent.hasSuffix("able")
  }
}
