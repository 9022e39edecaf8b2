import SwiftSyntax

/// A completion handler of a request to the system, in main-actor code.
///
/// The system calls the handler on its own queue. If the SDK does not declare the parameter as
/// `@Sendable`, the closure is on the main actor like the code around it: the compiler accepts it
/// in Swift 6 mode, and the program traps when the answer arrives. Newer SDKs declare some of the
/// parameters as `@Sendable`, and then the code is safe. The checker does not know the SDK.
///
/// Bad:
/// ```swift
/// @MainActor
/// func ask() {
///   UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { isAllowed, _ in
///     self.isAllowed = isAllowed
///   }
/// }
/// ```
///
/// Good:
/// ```swift
/// @MainActor
/// func ask() async throws {
///   isAllowed = try await UNUserNotificationCenter.current().requestAuthorization(options: [.alert])
/// }
/// ```
///
/// Or write `@Sendable` before the parameters of the closure and start a `Task { @MainActor in }`
/// in it. The rule knows requests for notifications, photos, contacts, calendars, health data,
/// recording and speech, web authentication sessions, apps and files that `NSWorkspace` opens, and
/// listeners of Firebase's remote configuration. Not reported in Swift 5 mode. Not reported for
/// closures that are already `@Sendable`.
enum SystemCallback: Rule {
  static let id = "system-callback"
  static let isDefault = false
  static let needsAllTargets = true

  static func check(_ file: CheckedFile) -> [Finding] {
    guard file.settings.isSwift6 else { return [] }
    return file.facts.calls.compactMap { call in
      guard isRequest(call, file), let closure = call.firstClosure, !closure.isSendable,
        let actor = file.globalActorName(at: call)
      else { return nil }
      return finding(
        at: call.calledExpression,
        "'\(call.calleeName ?? "")' calls this closure on another thread; if the SDK does not declare "
          + "it '@Sendable', it is on \(actor), and the program traps",
        advice: "await the request, or mark the closure '@Sendable' and hop in it")
    }
  }

  /// A function with a callback whose name other modules have too.
  private struct Request {
    /// An argument label that other functions with this name do not have; `nil` if labels are not
    /// checked.
    var label: String?
    /// The module that a file of a caller imports.
    let module: String
    /// The name before the dot.
    var type: String?
  }

  /// Requests for permission and queries, whose callbacks arrive on queues of the system.
  private static let requests: [String: [Request]] = [
    "requestAuthorization": [
      Request(label: "options", module: "UserNotifications"),
      Request(label: "toShare", module: "HealthKit"),
      Request(module: "Photos", type: "PHPhotoLibrary"),
    ],
    "getNotificationSettings": [Request(module: "UserNotifications")],
    "getNotificationCategories": [Request(module: "UserNotifications")],
    "getPendingNotificationRequests": [Request(module: "UserNotifications")],
    "getDeliveredNotifications": [Request(module: "UserNotifications")],
    "ASWebAuthenticationSession": [Request(label: "url", module: "AuthenticationServices")],
    "requestAccess": [
      Request(label: "for", module: "Contacts"), Request(label: "to", module: "EventKit"),
    ],
    "requestFullAccessToEvents": [Request(module: "EventKit")],
    "requestWriteOnlyAccessToEvents": [Request(module: "EventKit")],
    "requestFullAccessToReminders": [Request(module: "EventKit")],
    "requestRecordPermission": [
      Request(module: "AVFoundation"), Request(module: "AVFAudio"),
    ],
    "requestSiriAuthorization": [Request(module: "Intents")],
    "requestTrackingAuthorization": [Request(module: "AppTrackingTransparency")],
    "startUpdates": [Request(label: "from", module: "CoreMotion")],
    "queryPedometerData": [Request(module: "CoreMotion")],
    "HKObserverQuery": [Request(module: "HealthKit")],
    "HKSampleQuery": [Request(module: "HealthKit")],
    "HKAnchoredObjectQuery": [Request(module: "HealthKit")],
    "HKStatisticsQuery": [Request(module: "HealthKit")],
    "openApplication": [
      Request(label: "configuration", module: "AppKit"),
      Request(label: "configuration", module: "Cocoa"),
    ],
    "open": [
      Request(label: "configuration", module: "AppKit", type: "NSWorkspace.shared"),
      Request(label: "configuration", module: "Cocoa", type: "NSWorkspace.shared"),
    ],
    "addOnConfigUpdateListener": [
      Request(module: "FirebaseRemoteConfig"), Request(module: "Firebase"),
    ],
  ]

  private static func isRequest(_ call: FunctionCallExprSyntax, _ file: CheckedFile) -> Bool {
    if call.calleePath == "SFSpeechRecognizer.requestAuthorization" { return true }
    guard let requests = requests[call.calleeName ?? ""] else { return false }
    let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base?.path
    return requests.contains { request in
      file.facts.imports.contains(request.module)
        && (request.label.map { call.value(labeled: $0) != nil } ?? true)
        && (request.type.map { $0 == base } ?? true)
    }
  }
}
