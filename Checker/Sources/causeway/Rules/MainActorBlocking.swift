import SwiftSyntax

/// Blocking or heavy work in code that is on the main actor.
///
/// The work seems to run in the background, because it is in an `async` function or in a task. But
/// with default isolation, or if the caller is on the main actor, it runs on the main thread. The
/// app does not react until the work ends.
///
/// Bad:
/// ```swift
/// @MainActor
/// func load() async throws {
///   let data = try Data(contentsOf: url)
///   thumbnail = CGImageSourceCreateThumbnailAtIndex(source, 0, nil)
/// }
/// ```
///
/// Good:
/// ```swift
/// @concurrent
/// nonisolated func thumbnail() async throws -> CGImage? {
///   let data = try Data(contentsOf: url)
///   …
/// }
/// ```
///
/// Reported in files that import SwiftUI, UIKit or AppKit, and in types that such files name. In
/// `async` code on the main actor: sleeping and waiting for a semaphore, a group or a process,
/// reading a file, making an image, a statement of SQLite, and decoding in a loop. In synchronous
/// code: sleeping and waiting, in Swift 6 mode only, because in Swift 5 mode a caller can be on
/// another thread. Reported in the same way in functions that run on the actor of their caller, if
/// code on the main actor in the same file calls them. Not reported in tests, in code that is never
/// reached, in a function that ends the process, and for a `usleep` of less than 50 milliseconds.
enum MainActorBlocking: Rule {
  static let id = "main-actor-blocking"

  static func check(_ file: CheckedFile) -> [Finding] {
    guard !file.isTest else { return [] }
    return file.facts.calls.compactMap { call in
      guard let work = HeavyWork(call, in: file), isInUserInterface(call, file),
        isOnMainActor(call, file),
        work.isBlocking && file.settings.isSwift6 || file.isInAsyncCode(call),
        !call.isUnreachable,
        call.enclosingBody?.mentions(anyOf: ["exit", "_exit", "_Exit", "fatalError"]) != true
      else { return nil }
      let function = file.settings.allows(.concurrent) ? "a '@concurrent' function" : "an actor"
      return finding(
        at: call.calledExpression,
        "\(work.text) on the main actor: the app does not react until it ends",
        advice: work.isBlocking
          ? "suspend instead: 'await' the work, or use 'Task.sleep'" : "move it to \(function)")
    }
  }

  /// Whether people can see that the main thread is occupied; false in command-line tools.
  private static func isInUserInterface(
    _ call: FunctionCallExprSyntax, _ file: CheckedFile
  ) -> Bool {
    !file.facts.imports.isDisjoint(with: KnownNames.userInterfaceModules)
      || file.enclosingType(of: call).map { file.types.isUsedByUserInterface($0) } ?? false
  }

  /// Whether a call is on the main actor, or on the actor of callers that are on the main actor.
  private static func isOnMainActor(
    _ call: FunctionCallExprSyntax, _ file: CheckedFile
  ) -> Bool {
    switch file.isolation(at: call) {
    case .mainActor: return true
    case .caller:
      guard let body = call.enclosingBody?.as(FunctionDeclSyntax.self) else { return false }
      let name = body.name.text
      guard file.facts.functions.count(where: { $0.name.text == name }) == 1 else { return false }
      return file.facts.calls.contains {
        $0.calleeName == name && file.isolation(at: $0) == .mainActor
      }
    default: return false
    }
  }
}

extension FunctionCallExprSyntax {
  /// Whether a statement before the call, in a block around it, always returns.
  fileprivate var isUnreachable: Bool {
    ancestors.contains { ancestor in
      guard let item = ancestor.as(CodeBlockItemSyntax.self),
        let list = item.parent?.as(CodeBlockItemListSyntax.self)
      else { return false }
      return list.prefix { $0.id != item.id }.contains { $0.item.is(ReturnStmtSyntax.self) }
    }
  }
}

/// Work that occupies its thread for a long time.
struct HeavyWork {
  /// A description of the call, as the start of a sentence.
  let text: String
  /// Whether the thread waits for something else.
  var isBlocking = false

  private static let sleeps: Set<String> = ["Thread.sleep", "sleep", "usleep", "nanosleep"]
  private static let waits: Set<String> = [
    "waitUntilExit", "waitUntilAllOperationsAreFinished",
  ]
  private static let images: Set<String> = [
    "CGImageSourceCreateThumbnailAtIndex", "CGImageSourceCreateImageAtIndex", "createCGImage",
    "jpegData", "pngData", "heicData", "CGImageDestinationFinalize",
  ]
  private static let files: Set<String> = ["Data", "NSData", "String", "NSDictionary", "NSArray"]

  init?(_ call: FunctionCallExprSyntax, in file: CheckedFile) {
    guard let name = call.calleeName else { return nil }
    let path = call.calleePath ?? name
    let labels = call.arguments.map { $0.label?.text ?? "_" }
    if HeavyWork.sleeps.contains(path), !HeavyWork.isOwn(name, at: call, file) {
      let microseconds = call.arguments.first?.expression.as(IntegerLiteralExprSyntax.self)?
        .representedLiteralValue
      if name == "usleep", let microseconds, microseconds < 50_000 { return nil }
      self.init(text: "'\(path)' blocks its thread", isBlocking: true)
    } else if HeavyWork.waits.contains(name), call.arguments.isEmpty {
      self.init(text: "'\(name)' blocks its thread", isBlocking: true)
    } else if name == "wait", HeavyWork.isSemaphore(call, file) {
      self.init(text: "'\(path)' blocks its thread", isBlocking: true)
    } else if HeavyWork.files.contains(path), let label = labels.first,
      ["contentsOf", "contentsOfFile"].contains(label), labels.count > 1 || path != "String"
    {
      self.init(text: "'\(path)(\(label):)' reads a file")
    } else if HeavyWork.images.contains(name), name != path || path.hasPrefix("CG") {
      self.init(text: "'\(name)' computes an image")
    } else if ["sqlite3_step", "sqlite3_exec"].contains(path) {
      self.init(text: "'\(path)' runs a statement")
    } else if name == "decode", labels == ["_", "from"], HeavyWork.isInLoop(call) {
      self.init(text: "'\(path)' decodes in a loop")
    } else {
      return nil
    }
  }

  private init(text: String, isBlocking: Bool = false) {
    self.text = text
    self.isBlocking = isBlocking
  }

  /// Whether the module declares a function with the name of a function of the C library.
  private static func isOwn(
    _ name: String, at call: FunctionCallExprSyntax, _ file: CheckedFile
  ) -> Bool {
    if call.calleePath == "Thread.sleep" { return file.types.type("Thread") != nil }
    if !file.types.functions(named: name).isEmpty { return true }
    let members = file.enclosingType(of: call).flatMap { file.types.entries[$0] }?.everyMember ?? []
    return members.contains { $0.decl.as(FunctionDeclSyntax.self)?.name.text == name }
  }

  /// Whether the receiver of `wait` is a semaphore or a group that the code around it makes.
  private static func isSemaphore(_ call: FunctionCallExprSyntax, _ file: CheckedFile) -> Bool {
    guard let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base,
      let maker = file.value(of: base)?.as(FunctionCallExprSyntax.self)
    else { return false }
    // With a deadline of now, the call does not wait.
    guard call.arguments.first?.expression.trimmedDescription != ".now()" else { return false }
    return ["DispatchSemaphore", "DispatchGroup", "NSCondition"].contains(maker.calleePath ?? "")
  }

  /// Whether a loop over elements is around a call.
  ///
  /// Other loops, also `for _ in 0..<3`, often repeat a request.
  private static func isInLoop(_ call: FunctionCallExprSyntax) -> Bool {
    for ancestor in call.ancestors {
      switch ancestor.kind {
      case .forStmt:
        // A loop that waits for a request in each turn decodes only one answer at a time.
        return ancestor.as(ForStmtSyntax.self)?.pattern.is(WildcardPatternSyntax.self) == false
          && ancestor.as(ForStmtSyntax.self)?.body.suspends == false
      case .functionDecl, .initializerDecl, .accessorDecl, .closureExpr: return false
      default: break
      }
    }
    return false
  }
}
