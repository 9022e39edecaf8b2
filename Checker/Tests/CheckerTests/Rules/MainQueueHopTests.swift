import Testing

@testable import causeway

struct MainQueueHopTests {
  static let fixtures = [
    Fixture(
      MainQueueHop.self, "hops from the main actor",
      """
      @MainActor final class Feed {
        func show() async {
          1️⃣DispatchQueue.main.async { self.x = 1 }
          2️⃣DispatchQueue.main.asyncAfter(deadline: .now() + 1) { self.x = 1 }
          Task { 3️⃣DispatchQueue.main.sync { self.x = 1 } }
        }
        func block() { 4️⃣DispatchQueue.main.sync { self.x = 1 } }
      }
      """),
    Fixture(
      MainQueueHop.self, "a later turn of synchronous code",
      """
      @MainActor final class Feed {
        func show() {
          DispatchQueue.main.async { self.x = 1 }
          DispatchQueue.main.asyncAfter(deadline: .now() + 1) { self.x = 1 }
        }
      }
      """),
    Fixture(
      MainQueueHop.self, "a function that asks for its thread",
      """
      @MainActor final class Feed {
        func post() {
          if !Thread.isMainThread {
            DispatchQueue.main.sync { notify() }
          } else {
            notify()
          }
        }
        func load() async {
          guard Thread.isMainThread else {
            DispatchQueue.main.async { self.x = 1 }
            return
          }
        }
      }
      """),
    Fixture(
      MainQueueHop.self, "a test that makes an event later",
      """
      import Testing
      @MainActor @Test func loads() async {
        DispatchQueue.main.async { model.x = 1 }
        await model.finish()
      }
      """),
    Fixture(
      MainQueueHop.self, "a scroll after the layout, and a delay with a reason",
      """
      @MainActor final class Chat {
        func send() async {
          await service.send()
          DispatchQueue.main.async { proxy.scrollTo(bottom) }
          // The sheet has to disappear first.
          DispatchQueue.main.async { self.isSending = false }
        }
      }
      """),
    Fixture(
      MainQueueHop.self, "async code of a view, and a deadlock",
      """
      import SwiftUI
      struct Feed: View {
        func load() async { 1️⃣DispatchQueue.main.async { isLoading = false } }
        func start() { Task { await load(); 2️⃣DispatchQueue.main.async { isLoading = false } } }
        func stop() { 3️⃣DispatchQueue.main.sync { isLoading = false } }
      }
      """),
    Fixture(
      MainQueueHop.self, "other async code of a view",
      """
      import SwiftUI
      struct Feed: View {
        init(id: Int) async { 1️⃣DispatchQueue.main.async { isLoading = false } }
        var title: String {
          get async { 2️⃣DispatchQueue.main.async { isLoading = false } }
        }
        func load() async { withAnimation { 3️⃣DispatchQueue.main.async { isLoading = false } } }
        func start() {
          Task.immediate { 4️⃣DispatchQueue.main.async { isLoading = false } }
          Task(operation: { 5️⃣DispatchQueue.main.async { isLoading = false } })
        }
        func prepare() async {
          func focus() { withAnimation { DispatchQueue.main.async { isFocused = true } } }
          var isLate: Bool { withAnimation { DispatchQueue.main.async { isFocused = true } } }
        }
      }
      """),
    Fixture(
      MainQueueHop.self, "a later turn in a view and in a view controller",
      """
      import SwiftUI
      import UIKit
      struct Search: View {
        var body: some View { field.onAppear { DispatchQueue.main.async { isFocused = true } } }
      }
      final class Field: UIView {
        override func didMoveToWindow() {
          DispatchQueue.main.async { [weak self] in _ = self?.becomeFirstResponder() }
        }
      }
      extension Field {
        func hide() { DispatchQueue.main.asyncAfter(deadline: .now() + 1) { self.isHidden = true } }
      }
      """),
    Fixture(
      MainQueueHop.self, "code without isolation",
      "final class Feed { func show() { DispatchQueue.main.async { print(1) } } }"),
    Fixture(
      MainQueueHop.self, "a callback of an unknown function",
      """
      @MainActor final class Feed {
        func f() { session.load { data in DispatchQueue.main.async { self.data = data } } }
      }
      """),
    Fixture(
      MainQueueHop.self, "a nonisolated method",
      "@MainActor final class A { nonisolated func f() { DispatchQueue.main.async { print(1) } } }"),
    Fixture(
      MainQueueHop.self, "the queue as a value",
      "@MainActor func f() { publisher.receive(on: DispatchQueue.main); use(DispatchQueue.main) }"),
    Fixture(
      MainQueueHop.self, "Swift 5 mode, where a caller can be on another thread",
      "@MainActor func f() { DispatchQueue.main.async { print(1) } }"
    ) { $0.languageMode = 5 },
    Fixture(
      MainQueueHop.self, "another queue",
      "@MainActor func f() { DispatchQueue.global().async { print(1) } }"),
  ]

  @Test(arguments: fixtures)
  func `main-queue-hop reports at the markers`(fixture: Fixture) { fixture.verify() }
}
