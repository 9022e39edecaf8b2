import SwiftSyntax

/// A closure of main-actor code that a function calls on another thread.
///
/// The parameter is not `@Sendable`, so the closure has the isolation of the code around it: the
/// main actor or another global actor. In Swift 6 mode the compiler accepts it and adds a check,
/// and the program traps at the first call.
///
/// Bad:
/// ```swift
/// @MainActor
/// func register() {
///   BGTaskScheduler.shared.register(forTaskWithIdentifier: "sync", using: nil) { task in
///     self.sync(task)
///   }
/// }
/// ```
///
/// Good:
/// ```swift
/// @MainActor
/// func register() {
///   BGTaskScheduler.shared.register(forTaskWithIdentifier: "sync", using: .main) { task in
///     self.sync(task)
///   }
/// }
/// ```
///
/// If the function has no parameter for a queue, write `@Sendable` before the parameters of the
/// closure and start a `Task { @MainActor in }` in it. The rule knows the functions of Apple's
/// frameworks whose documentation says that they call on another queue: launch handlers of
/// `BGTaskScheduler`, handlers of dispatch sources, groups and work items, `sec_protocol` blocks,
/// audio taps and property listeners, changes of the photo library, artwork, fonts, display links,
/// motion updates and Combine operators after `receive(on:)`. Also reported:
/// `MainActor.assumeIsolated` in a notification or observation block with another queue. Not
/// reported when the rule cannot find the queue, in Swift 5 mode, and for closures that are already
/// `@Sendable`. The rule `system-callback` reports requests of the system whose parameter is
/// `@Sendable` in newer SDKs.
enum MainActorCallback: Rule {
  static let id = "main-actor-callback"
  static let needsAllTargets = true

  static func check(_ file: CheckedFile) -> [Finding] {
    guard file.settings.isSwift6 else { return [] }
    return file.facts.calls.compactMap { call in
      guard let name = call.calleeName else { return nil }
      if name == "addObserver" { return assumption(in: call, file) }
      guard let closure = CallbackFunction.closure(of: call, file), !closure.isSendable else {
        return nil
      }
      guard let actor = file.globalActorName(at: call) else { return nil }
      return finding(
        at: call.calledExpression,
        "'\(name)' calls this closure on another thread, but the closure is on \(actor): the "
          + "program traps",
        advice: "pass the queue of the actor, or mark the closure '@Sendable' and hop in it")
    }
  }

  /// An assumption in a notification block that another queue runs.
  private static func assumption(
    in call: FunctionCallExprSyntax, _ file: CheckedFile
  ) -> Finding? {
    guard let queue = call.value(labeled: "queue"), call.value(labeled: "forName") != nil,
      QueueUse(queue, in: file) == .other, let closure = call.closureArgument,
      let assumption = closure.statements.directDescendants(FunctionCallExprSyntax.self)
        .first(where: { $0.calleePath == "MainActor.assumeIsolated" })
    else { return nil }
    return finding(
      at: assumption.calledExpression,
      "the block of 'addObserver' runs on another queue, so this assumption traps",
      advice: "pass 'queue: .main', or start a 'Task { @MainActor in }'")
  }
}

/// The functions that call a closure on another thread and whose parameter is not `@Sendable`.
private enum CallbackFunction {
  /// Functions that always call their closure on another thread.
  private static let always: Set<String> = [
    "installTap", "CTFontManagerRegisterFontURLs", "CTFontManagerUnregisterFontURLs",
    "CTFontManagerRegisterFontDescriptors", "CTFontManagerUnregisterFontDescriptors",
    "CTFontManagerRegisterFontsWithAssetNames", "CTFontManagerRequestFonts",
    "CTFontDescriptorMatchFontDescriptorsWithProgressHandler", "CVDisplayLinkSetOutputHandler",
    "performChanges", "performChangesAndWait", "MPMediaItemArtwork",
  ]
  private static let labels = [
    "installTap": "onBus", "MPMediaItemArtwork": "boundsSize",
  ]
  /// Functions with a queue argument, which is nil for a background queue.
  private static let labeledQueues = [
    "register": "using", "startDeviceMotionUpdates": "to", "startAccelerometerUpdates": "to",
    "startGyroUpdates": "to", "startMagnetometerUpdates": "to", "startActivityUpdates": "to",
    "startRelativeAltitudeUpdates": "to", "startAbsoluteAltitudeUpdates": "to",
    "notify": "queue",
  ]
  /// Functions with a queue argument without a label.
  private static let positionedQueues: Set<String> = [
    "sec_protocol_options_set_verify_block", "sec_protocol_options_set_challenge_block",
    "sec_protocol_options_set_key_update_block", "AudioObjectAddPropertyListenerBlock",
  ]
  private static let sourceHandlers: Set<String> = [
    "setEventHandler", "setCancelHandler", "setRegistrationHandler",
  ]

  /// The closure that a call passes to another thread; nil if that is not certain.
  static func closure(
    of call: FunctionCallExprSyntax, _ file: CheckedFile
  ) -> ClosureExprSyntax? {
    let name = call.calleeName ?? ""
    if always.contains(name) {
      if let label = labels[name], call.value(labeled: label) == nil { return nil }
      if name.hasPrefix("performChanges") {
        // The documentation says nothing about the closure of the async function.
        let isAsync = call.parent?.is(AwaitExprSyntax.self) == true
        guard file.facts.imports.contains("Photos"), !isAsync else { return nil }
      }
      return call.firstClosure
    }
    if let label = labeledQueues[name], let queue = call.value(labeled: label) {
      if name == "register", call.value(labeled: "forTaskWithIdentifier") == nil { return nil }
      let isDefault = name == "register" && queue.is(NilLiteralExprSyntax.self)
      return isDefault || QueueUse(queue, in: file) == .other ? call.closureArgument : nil
    }
    if positionedQueues.contains(name) {
      return call.arguments.contains { QueueUse($0.expression, in: file) == .other }
        ? call.firstClosure : nil
    }
    if sourceHandlers.contains(name) { return handler(of: call, file) }
    if name == "DispatchWorkItem" { return workItem(call, file) }
    return isAfterReceive(call, file) ? call.firstClosure : nil
  }

  /// The handler of a dispatch source whose queue is not the main queue.
  private static func handler(
    of call: FunctionCallExprSyntax, _ file: CheckedFile
  ) -> ClosureExprSyntax? {
    guard let source = call.calledExpression.as(MemberAccessExprSyntax.self)?.base,
      let maker = file.value(of: source)?.as(FunctionCallExprSyntax.self),
      maker.calleePath?.hasPrefix("DispatchSource.make") == true
    else { return nil }
    // Without a queue, the handlers run on a global queue.
    guard let queue = maker.value(labeled: "queue") else { return call.closureArgument }
    let isDefault = queue.is(NilLiteralExprSyntax.self)
    return isDefault || QueueUse(queue, in: file) == .other ? call.closureArgument : nil
  }

  /// The closure of a work item that the same function gives to another queue.
  private static func workItem(
    _ call: FunctionCallExprSyntax, _ file: CheckedFile
  ) -> ClosureExprSyntax? {
    guard let binding = call.parent?.parent?.as(PatternBindingSyntax.self),
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
      let body = call.enclosingBody
    else { return nil }
    let isGiven = body.descendants(FunctionCallExprSyntax.self).contains { other in
      guard ["async", "asyncAfter"].contains(other.calleeName ?? ""),
        other.value(labeled: "execute")?.path == name,
        let queue = other.calledExpression.as(MemberAccessExprSyntax.self)?.base
      else { return false }
      return QueueUse(queue, in: file) == .other
    }
    return isGiven ? call.closureArgument : nil
  }

  private static let operators: Set<String> = [
    "map", "tryMap", "compactMap", "tryCompactMap", "flatMap", "filter", "tryFilter", "sink",
    "removeDuplicates", "scan", "handleEvents",
  ]

  /// Whether the nearest `receive(on:)` before a Combine operator names another queue.
  private static func isAfterReceive(
    _ call: FunctionCallExprSyntax, _ file: CheckedFile
  ) -> Bool {
    guard operators.contains(call.calleeName ?? ""), file.facts.imports.contains("Combine") else {
      return false
    }
    var current = call.calledExpression.as(MemberAccessExprSyntax.self)?.base
    while let previous = current?.as(FunctionCallExprSyntax.self) {
      let name = previous.calleeName ?? ""
      if ["receive", "debounce", "throttle", "delay"].contains(name) {
        let queue = previous.value(labeled: "on") ?? previous.value(labeled: "scheduler")
        return queue.map { QueueUse($0, in: file) == .other } ?? false
      }
      current = previous.calledExpression.as(MemberAccessExprSyntax.self)?.base
    }
    return false
  }
}

extension CheckedFile {
  /// The global actor of a node, for a message; nil if the node is on no global actor.
  func globalActorName(at node: some SyntaxProtocol) -> String? {
    switch isolation(at: node) {
    case .mainActor: "the main actor"
    case .globalActor(let name): "'\(name)'"
    default: nil
    }
  }
}

extension FunctionCallExprSyntax {
  /// The argument with a label.
  func value(labeled label: String) -> ExprSyntax? {
    arguments.first { $0.label?.text == label }?.expression
  }

  /// The first argument that is a closure, otherwise the trailing closure.
  var firstClosure: ClosureExprSyntax? {
    arguments.lazy.compactMap { $0.expression.as(ClosureExprSyntax.self) }.first ?? trailingClosure
  }
}

extension ClosureExprSyntax {
  /// Whether the closure states that any thread may call it.
  var isSendable: Bool {
    !Set(signature?.attributes.names ?? []).isDisjoint(with: ["Sendable", "concurrent"])
  }
}
