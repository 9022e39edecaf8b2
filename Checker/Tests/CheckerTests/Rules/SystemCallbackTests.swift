import Testing

@testable import causeway

struct SystemCallbackTests {
  static let fixtures = [
    Fixture(
      SystemCallback.self, "requests and queries of the system",
      """
      import AuthenticationServices
      import HealthKit
      import Photos
      import UserNotifications
      @MainActor final class Model {
        func notifications() {
          let center = UNUserNotificationCenter.current()
          1️⃣center.requestAuthorization(options: [.alert]) { ok, _ in self.allowed = ok }
          2️⃣center.getNotificationSettings { print($0) }
        }
        func signIn() {
          session = 3️⃣ASWebAuthenticationSession(url: url, callbackURLScheme: "x") { _, error in
            print(error)
          }
        }
        func photos() { 4️⃣PHPhotoLibrary.requestAuthorization(for: .readWrite) { print($0) } }
        func health() {
          5️⃣store.requestAuthorization(toShare: nil, read: nil) { ok, _ in print(ok) }
          store.execute(6️⃣HKObserverQuery(sampleType: type, predicate: nil) { _, done, _ in done() })
        }
      }
      """),
    Fixture(
      SystemCallback.self, "requests whose callback any thread may call",
      """
      import AuthenticationServices
      import UserNotifications
      @MainActor final class Model {
        func notifications() async {
          let center = UNUserNotificationCenter.current()
          center.requestAuthorization(options: [.alert]) { @Sendable ok, _ in print(ok) }
          let settings = await center.notificationSettings()
          _ = try? await center.requestAuthorization(options: [.alert])
          manager.requestAuthorization { self.allowed = true }
          URLSession.shared.dataTask(with: url) { _, _, _ in print(1) }.resume()
          DispatchQueue.global().async { print(1) }
          Gate.requestAccess(for: .contacts) { ok, _ in print(ok) }
        }
      }
      nonisolated func ask() {
        UNUserNotificationCenter.current().getNotificationSettings { print($0) }
      }
      """),
    Fixture(
      SystemCallback.self, "functions of the app with the same names",
      """
      import SwiftUI
      @MainActor final class Model {
        func ask() {
          service.getNotificationSettings { self.show($0) }
          service.requestAccess(for: .contacts) { self.show($0) }
          health.requestAuthorization(toShare: nil) { self.show($0) }
        }
      }
      """),
    Fixture(
      SystemCallback.self, "openings by NSWorkspace, speech, and another global actor",
      """
      import AppKit
      @MainActor func open() {
        1️⃣NSWorkspace.shared.openApplication(at: url, configuration: .init()) { app, _ in print(app) }
        2️⃣NSWorkspace.shared.open(url, configuration: .init()) { app, _ in print(app) }
        NSWorkspace.shared.openApplication(at: url, configuration: .init()) { @Sendable app, _ in }
        3️⃣SFSpeechRecognizer.requestAuthorization { print($0) }
      }
      @globalActor actor LaunchActor { static let shared = LaunchActor() }
      @LaunchActor func start() {
        4️⃣NSWorkspace.shared.openApplication(at: url, configuration: .init()) { app, _ in print(app) }
      }
      """),
    Fixture(
      SystemCallback.self, "a window that opens, and Swift 5 mode",
      """
      import UserNotifications
      @MainActor func open() {
        window.open(url, configuration: .init()) { print(1) }
        NSWorkspace.shared.open(url)
        UNUserNotificationCenter.current().getNotificationSettings { print($0) }
      }
      """
    ) { $0.languageMode = 5 },
  ]

  @Test(arguments: fixtures)
  func `system-callback reports at the markers`(fixture: Fixture) { fixture.verify() }
}
