import SwiftSyntax

/// A stored property is `nonisolated(unsafe)` only because `deinit` uses it.
///
/// `nonisolated(unsafe)` turns data-race checking off for every use of the property, in all files.
/// With `isolated deinit` (Swift 6.2, SE-0371) the deinitializer runs on the actor of the class, and
/// the property can be isolated.
///
/// Bad:
/// ```swift
/// @MainActor
/// final class FeedModel {
///   nonisolated(unsafe) private var timer: Timer?
///   deinit { timer?.invalidate() }
/// }
/// ```
///
/// Good:
/// ```swift
/// @MainActor
/// final class FeedModel {
///   private var timer: Timer?
///   isolated deinit { timer?.invalidate() }
/// }
/// ```
///
/// A `Task` is `Sendable`, so a plain `deinit` can cancel it, also if the property is isolated. In an
/// `@Observable` class, the property also has to be `@ObservationIgnored`.
///
/// Also reported: a `nonisolated(unsafe)` task in a class without a `deinit`. Nothing cancels the
/// task, and the modifier has no other reason. Also reported: an `isolated deinit` in a class that
/// inherits from `NSObject`, even through `UIView`, `UIViewController` or `NSView`. It traps if
/// another thread releases the last reference (swiftlang/swift#85500). In such a class, cancel
/// tasks in a plain `deinit`, and move other things to clean up into a class that inherits from no
/// class of Objective-C.
///
/// Not reported when another nonisolated member also uses the property, when an initializer of an
/// actor sets it, and when the class inherits from a class of Objective-C or of another module. There
/// is no automatic fix, because an `isolated deinit` can run some time after the last reference was
/// released. It needs macOS 15.4, iOS 18.4 or newer, so the rule is silent if the module runs on
/// older systems or does not say on which.
enum IsolatedDeinit: Rule {
  static let id = "isolated-deinit"
  static let needsAllTargets = true

  static func check(_ file: CheckedFile) -> [Finding] {
    file.facts.variables.compactMap { unsafeProperty($0, file) }
      + file.facts.deinitializers.compactMap { trappingDeinitializer($0, file) }
  }

  private static func unsafeProperty(
    _ variable: VariableDeclSyntax, _ file: CheckedFile
  ) -> Finding? {
    guard variable.isMember, variable.isStored, !variable.modifiers.isStatic,
      let modifier = variable.modifiers.first(.nonisolated),
      modifier.detail?.detail.text == "unsafe", let name = variable.boundNames.first,
      let typeName = file.enclosingType(of: variable), let type = file.types.entries[typeName],
      type.isReferenceType, type.isolation.isIsolated,
      !isUsedOffActor(name, in: type, file)
    else { return nil }
    let deinitializers = type.everyMember.compactMap { $0.decl.as(DeinitializerDeclSyntax.self) }
    if variable.isTask, deinitializers.isEmpty {
      return finding(
        at: modifier,
        "'\(name)' is 'nonisolated(unsafe)', but the class has no 'deinit' that cancels the task",
        advice: "isolate the property, and cancel the task when its owner is released")
    }
    guard !deinitializers.isEmpty,
      deinitializers.allSatisfy({
        !$0.modifiers.has(.isolated) && $0.body?.mentions(name) == true
      })
    else { return nil }
    if variable.isTask {
      return finding(
        at: modifier,
        "'\(name)' is 'nonisolated(unsafe)' only for 'deinit', which can also cancel an isolated "
          + "task",
        advice: file.isObserved(variable)
          ? "write '@ObservationIgnored' instead of 'nonisolated(unsafe)': a 'Task' is 'Sendable'"
          : "remove 'nonisolated(unsafe)': a 'Task' is 'Sendable'")
    }
    guard file.settings.allows(.isolatedDeinit), file.types.root(of: typeName) == .swift else {
      return nil
    }
    return finding(
      at: modifier,
      "'\(name)' is 'nonisolated(unsafe)' only for 'deinit', so the compiler checks no use of it",
      advice: "write 'isolated deinit' and isolate the property")
  }

  /// An `isolated deinit` of a class of Objective-C.
  private static func trappingDeinitializer(
    _ deinitializer: DeinitializerDeclSyntax, _ file: CheckedFile
  ) -> Finding? {
    guard let modifier = deinitializer.modifiers.first(.isolated),
      let name = file.enclosingType(of: deinitializer), file.types.root(of: name) == .objectiveC
    else { return nil }
    return finding(
      at: modifier,
      "the class inherits from 'NSObject': this 'deinit' traps if another thread releases the last "
        + "reference",
      advice: "use a plain 'deinit'; put values that need the actor into a class of their own")
  }

  /// Whether code off the actor, other than `deinit`, uses a property.
  private static func isUsedOffActor(
    _ name: String, in type: TypeTable.Entry, _ file: CheckedFile
  ) -> Bool {
    for member in type.everyMember {
      // The initializer of an actor is off the actor as soon as it hands on `self`.
      if type.kind == .actor, let initializer = member.decl.as(InitializerDeclSyntax.self),
        initializer.writtenMembers.contains(name)
      {
        return true
      }
      if let function = member.decl.as(FunctionDeclSyntax.self) {
        if function.modifiers.has(.nonisolated), function.mentions(name) { return true }
      } else if let variable = member.decl.as(VariableDeclSyntax.self) {
        if !variable.isStored, variable.modifiers.has(.nonisolated), variable.mentions(name) {
          return true
        }
      }
    }
    // A closure that leaves the actor can be the other reason for the modifier.
    let closures = type.everyMember.flatMap { $0.descendants(ClosureExprSyntax.self) }
    return closures.contains { $0.mentions(name) && file.mayLeaveActor($0) }
  }
}

extension VariableDeclSyntax {
  /// Whether the variable's type is a task.
  fileprivate var isTask: Bool {
    bindings.contains { $0.typeAnnotation?.type.simpleName == "Task" }
  }
}

extension CheckedFile {
  /// Whether `@Observable` makes a property computed, so that a plain `deinit` cannot use it.
  fileprivate func isObserved(_ variable: VariableDeclSyntax) -> Bool {
    enclosingDeclaration(of: variable)?.attributes.first(named: "Observable") != nil
      && variable.attributes.first(named: "ObservationIgnored") == nil
  }

  /// Whether a closure runs, or may run, off the actor of the code around it.
  fileprivate func mayLeaveActor(_ closure: ClosureExprSyntax) -> Bool {
    switch isolation(of: closure) {
    case .nonisolated, .unknown: closure.ancestors.contains { $0.is(FunctionDeclSyntax.self) }
    default: false
    }
  }
}
