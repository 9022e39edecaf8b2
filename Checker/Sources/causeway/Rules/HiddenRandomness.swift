import SwiftSyntax

/// The current time, a random number or a new identifier in an interactor, a reducer or a type that
/// takes a clock.
///
/// The same actions then lead to different states in each run, and tests cannot predict the values.
///
/// Bad:
/// ```swift
/// struct FeedInteractor: Interactor {
///   func add(_ state: inout State) { state.items.append(Item(id: UUID(), date: Date())) }
/// }
/// ```
///
/// Good:
/// ```swift
/// struct FeedInteractor: Interactor {
///   let makeID: @Sendable () -> UUID
///   let now: @Sendable () -> Date
///   func add(_ state: inout State) { state.items.append(Item(id: makeID(), date: now())) }
/// }
/// ```
///
/// Default values of parameters and of stored properties are not reported, because a test can pass
/// other values. Off by default.
enum HiddenRandomness: Rule {
  static let id = "hidden-randomness"
  static let isDefault = false

  private static let constructors: Set<String> = [
    "Date", "Date.init", "UUID", "UUID.init", "SystemRandomNumberGenerator", "ContinuousClock",
    "SuspendingClock", "CFAbsoluteTimeGetCurrent", "arc4random", "mach_absolute_time",
  ]
  private static let methods: Set<String> = ["randomElement", "shuffled", "shuffle"]
  private static let properties: Set<String> = [
    "Date.now", "ContinuousClock.now", "SuspendingClock.now", "Locale.current", "TimeZone.current",
    "Calendar.current",
  ]

  static func check(_ file: CheckedFile) -> [Finding] {
    var found: [(node: Syntax, name: String)] = []
    for call in file.facts.calls {
      guard let path = call.calleePath ?? call.calleeName else { continue }
      if constructors.contains(path), call.arguments.isEmpty {
        found.append((Syntax(call), path + "()"))
      } else if methods.contains(call.calleeName ?? ""),
        !call.arguments.contains(where: { $0.label?.text == "using" })
      {
        found.append((Syntax(call), "." + (call.calleeName ?? "")))
      } else if call.calleeName == "random",
        !call.arguments.contains(where: { $0.label?.text == "using" })
      {
        found.append((Syntax(call), ".random"))
      } else if path == "Task.sleep", !call.arguments.contains(where: { $0.label?.text == "clock" })
      {
        found.append((Syntax(call), "Task.sleep"))
      }
    }
    for reference in file.facts.memberAccesses {
      if let path = ExprSyntax(reference).path, properties.contains(path),
        reference.parent?.is(FunctionCallExprSyntax.self) != true
      {
        found.append((Syntax(reference), path))
      }
    }
    return found.compactMap { node, name in
      guard let type = file.enclosingType(of: node), let why = reason(type, in: file),
        !isDefaultValue(node)
      else { return nil }
      return finding(
        at: node, "'\(name)' in '\(type)', which \(why), differs in each run of a test",
        advice: "inject the clock, the date or the generator")
    }
  }

  private static func reason(_ type: String, in file: CheckedFile) -> String? {
    guard !type.hasSuffix("Tests") else { return nil }
    let inherited = file.types.entries[type]?.allInheritedNames ?? []
    if inherited.contains(where: { $0.hasSuffix("Interactor") || $0.hasSuffix("Reducer") }) {
      return "is an interactor"
    }
    if file.types.entries[type]?.declarations.contains(where: { declaration in
      !Set(declaration.attributes.names).isDisjoint(with: ["Reducer"])
    }) == true {
      return "is a reducer"
    }
    let hasClock =
      file.types.entries[type]?.everyMember.contains { member in
        guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isStored else {
          return false
        }
        let type = variable.bindings.first?.typeAnnotation?.type.trimmedDescription ?? ""
        return type.contains("Clock") || variable.boundNames == ["clock"]
      } == true
    return hasClock ? "takes a clock" : nil
  }

  private static func isDefaultValue(_ node: Syntax) -> Bool {
    for ancestor in node.ancestors {
      switch ancestor.kind {
      case .closureExpr, .codeBlock, .accessorBlock: return false
      case .functionParameter: return true
      case .variableDecl:
        return ancestor.as(VariableDeclSyntax.self).map { $0.isMember && $0.isStored } ?? false
      default: break
      }
    }
    return false
  }
}
