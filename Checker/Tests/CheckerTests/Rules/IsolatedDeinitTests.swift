import Testing

@testable import causeway

struct IsolatedDeinitTests {
  static let fixtures = [
    Fixture(
      IsolatedDeinit.self, "a main-actor class and an actor",
      """
      @MainActor final class Feed {
        1️⃣nonisolated(unsafe) private var timer: Timer?
        private 2️⃣nonisolated(unsafe) var observer: Any?
        func stop() { timer?.invalidate() }
        deinit { timer?.invalidate(); remove(observer) }
      }
      actor Store {
        3️⃣nonisolated(unsafe) var task: Task<Void, Never>?
        deinit { task?.cancel() }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "a task without a deinit",
      """
      @MainActor final class Feed {
        1️⃣nonisolated(unsafe) private var task: Task<Void, Never>?
        func start() { task = Task { await load() } }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "a task without a deinit on older systems",
      """
      @MainActor final class Feed {
        1️⃣nonisolated(unsafe) private var task: Task<Void, Never>?
        nonisolated(unsafe) private var timer: Timer?
        func start() { task = Task { await load() } }
      }
      @MainActor final class Player {
        2️⃣nonisolated(unsafe) private var task: Task<Void, Never>?
        deinit { task?.cancel() }
      }
      """
    ) { $0.systems = [.macOS: Version(14)] },
    Fixture(
      IsolatedDeinit.self, "a task that code off the actor uses",
      """
      @MainActor final class Feed {
        nonisolated(unsafe) private var task: Task<Void, Never>?
        nonisolated func stop() { task?.cancel() }
      }
      @MainActor final class Player {
        nonisolated(unsafe) private var task: Task<Void, Never>?
        func start() { Task.detached { self.task?.cancel() } }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "a Swift class with a superclass and protocols of the module",
      """
      protocol Playing: AnyObject {}
      @MainActor class Base: Playing {}
      @MainActor final class Player: Base, Codable {
        1️⃣nonisolated(unsafe) private var timer: Timer?
        deinit { timer?.invalidate() }
      }
      @MainActor final class Model: ObservableObject {
        2️⃣nonisolated(unsafe) private var timer: Timer?
        deinit { timer?.invalidate() }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "an isolated deinit in a class of Objective-C",
      """
      import UIKit
      @MainActor final class Player: NSObject {
        1️⃣isolated deinit { print("gone") }
      }
      class Screen: UIViewController {
        2️⃣isolated deinit { print("gone") }
      }
      final class Page: Screen {}
      final class Cell: UITableViewCell {
        nonisolated func size() {}
        3️⃣isolated deinit {}
      }
      extension Page { class Inner: Screen { 4️⃣isolated deinit {} } }
      actor Store: NSObject { 5️⃣isolated deinit {} }
      final class Web: WKWebView { 6️⃣isolated deinit {} }
      """),
    Fixture(
      IsolatedDeinit.self, "classes of Objective-C are not told to write it",
      """
      import UIKit
      @MainActor final class Player: NSObject, AVAudioPlayerDelegate {
        nonisolated(unsafe) private var timer: Timer?
        deinit { timer?.invalidate() }
      }
      class Screen: UIViewController {}
      final class Page: Screen {
        nonisolated(unsafe) private var timer: Timer?
        deinit { timer?.invalidate() }
      }
      @MainActor final class Foreign: SomeoneElse.Base {
        nonisolated(unsafe) private var timer: Timer?
        deinit { timer?.invalidate() }
      }
      @objc protocol Seen: NSObjectProtocol {}
      @MainActor final class Seeing: Seen {
        nonisolated(unsafe) private var timer: Timer?
        deinit { timer?.invalidate() }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "an isolated deinit in a class of Swift or of an unknown module",
      """
      import UIKit
      @MainActor class Base {}
      @MainActor final class Plain: Base { isolated deinit {} }
      @MainActor final class Model: ObservableObject { isolated deinit {} }
      @MainActor final class Foreign: SomeoneElse.Base { isolated deinit {} }
      actor Store { isolated deinit {} }
      @MainActor final class Screen: UIViewController { deinit {} }
      """),
    Fixture(
      IsolatedDeinit.self, "a class of the module that is named NSObject",
      """
      class NSObject {}
      @MainActor final class Own: NSObject { isolated deinit {} }
      """),
    Fixture(
      IsolatedDeinit.self, "a task of a class of Objective-C",
      """
      import UIKit
      final class Screen: UIViewController {
        1️⃣nonisolated(unsafe) private var task: Task<Void, Never>?
        deinit { task?.cancel() }
      }
      @MainActor final class Player: NSObject {
        private var task: Task<Void, Never>?
        deinit { task?.cancel() }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "deinit does not use it",
      """
      @MainActor final class Feed {
        nonisolated(unsafe) var counter = 0
        deinit { print("gone") }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "a nonisolated member uses it too",
      """
      @MainActor final class Feed {
        nonisolated(unsafe) var timer: Timer?
        nonisolated func stop() { timer?.invalidate() }
        deinit { timer?.invalidate() }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "a class without isolation",
      """
      final class Feed {
        nonisolated(unsafe) var timer: Timer?
        deinit { timer?.invalidate() }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "a detached closure uses it",
      """
      @MainActor final class Feed {
        nonisolated(unsafe) var timer: Timer?
        func f() { Task.detached { self.timer = nil } }
        deinit { timer?.invalidate() }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "the initializer of an actor sets it",
      """
      actor Loader {
        private nonisolated(unsafe) var task: Task<Void, Never>?
        init() { task = Task { await self.load() } }
        func load() async {}
      }
      """),
    Fixture(
      IsolatedDeinit.self, "a method of an actor sets it",
      """
      actor Loader {
        private 1️⃣nonisolated(unsafe) var task: Task<Void, Never>?
        func start() { task = Task { await self.load() } }
        func load() async {}
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `isolated-deinit reports at the markers`(fixture: Fixture) { fixture.verify() }

  @Test(arguments: [true, false], [true, false])
  func `The advice for a task in an observable class compiles`(
    isObservable: Bool, isIgnored: Bool
  ) {
    let type = isObservable ? "@Observable " : ""
    let property = isIgnored ? "@ObservationIgnored " : ""
    let source = SourceFile(
      path: "Feed.swift",
      text: """
        @MainActor \(type)final class Feed {
          \(property)nonisolated(unsafe) var task: Task<Void, Never>?
          deinit { task?.cancel() }
        }
        """)
    let check = Check(rules: [IsolatedDeinit.self], jobs: 1, progress: { _, _ in })
    let found = check.run([Check.Module(settings: BuildSettings(), files: [source])]).findings
    #expect(found.count == 1)
    let isAdvised = found.first?.finding.advice.contains("@ObservationIgnored")
    #expect(isAdvised == (isObservable && !isIgnored))
  }
}
