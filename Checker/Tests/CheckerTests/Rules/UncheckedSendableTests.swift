import Testing

@testable import causeway

struct UncheckedSendableTests {
  static let fixtures = [
    Fixture(
      UncheckedSendable.self, "unprotected state",
      """
      protocol Loading {}
      final class Service: Loading, 1️⃣@unchecked Sendable {
        var errorMessage: String?
      }
      class Counter {
        private var count = 0
        func add() { count += 1 }
      }
      extension Counter: 2️⃣@unchecked Sendable {}
      """),
    Fixture(
      UncheckedSendable.self, "a lock beside the state",
      """
      final class Service: @unchecked Sendable {
        private let lock = NSLock()
        private var items: [Int] = []
        func add() { lock.lock(); items = []; lock.unlock() }
      }
      """),
    Fixture(
      UncheckedSendable.self, "a queue beside the state",
      """
      final class Service: @unchecked Sendable {
        private let access: DispatchQueue
        var items: [Int] = []
      }
      """),
    Fixture(
      UncheckedSendable.self, "a condition, and an object that is its own lock",
      """
      final class Inbox: @unchecked Sendable {
        private let isNotEmpty = NSCondition()
        private var items: [Int] = []
        func add(_ item: Int) { isNotEmpty.lock(); items.append(item); isNotEmpty.unlock() }
      }
      final class Pool: @unchecked Sendable {
        private var items: [Int] = []
        func add(_ item: Int) {
          objc_sync_enter(self)
          defer { objc_sync_exit(self) }
          items.append(item)
        }
      }
      """),
    Fixture(
      UncheckedSendable.self, "a weather condition and a clock, which are no locks",
      """
      final class Weather: 1️⃣@unchecked Sendable {
        let clock: any Clock<Duration>
        var condition: WeatherCondition
      }
      final class Gate: @unchecked Sendable {
        private var condition = pthread_cond_t()
        private let turn: AsyncLock
        var isOpen = false
      }
      """),
    Fixture(
      UncheckedSendable.self, "constants only",
      "final class Service: @unchecked Sendable { let session: Session }"),
    Fixture(
      UncheckedSendable.self, "a private variable that only init assigns",
      """
      final class Service: @unchecked Sendable {
        private var session: Session
        init(_ session: Session) { self.session = session }
      }
      """),
    Fixture(
      UncheckedSendable.self, "computed, isolated and wrapped properties",
      """
      final class Service: @unchecked Sendable {
        var total: Int { 1 }
        @MainActor var items: [Int] = []
        @Atomic var count = 0
        static var shared = 1
      }
      """),
    Fixture(
      UncheckedSendable.self, "a superclass of the module with a lock",
      """
      class Base { let mutex = Mutex(0) }
      final class Service: Base, @unchecked Sendable { var items: [Int] = [] }
      """),
    Fixture(
      UncheckedSendable.self, "a box for a weak reference",
      "final class Box<T: AnyObject>: @unchecked Sendable { weak var value: T? }"),
    Fixture(
      UncheckedSendable.self, "a struct",
      "struct Box: @unchecked Sendable { var value: Int }"),
  ]

  @Test(arguments: fixtures)
  func `unchecked-sendable reports at the markers`(fixture: Fixture) { fixture.verify() }
}
