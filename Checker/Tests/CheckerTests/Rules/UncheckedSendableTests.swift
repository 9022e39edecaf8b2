import Testing

@testable import causeway

struct UncheckedSendableTests {
  static let fixtures = [
    Fixture(
      UncheckedSendable.self, "unprotected state that async code writes",
      """
      protocol Loading {}
      final class Service: Loading, 1️⃣@unchecked Sendable {
        var errorMessage: String?
        func load() async { errorMessage = nil }
      }
      class Counter {
        private var count = 0
        func add() { Task { self.count += 1 } }
      }
      extension Counter: 2️⃣@unchecked Sendable {}
      """),
    Fixture(
      UncheckedSendable.self, "state that only synchronous code writes",
      """
      final class Service: @unchecked Sendable {
        var errorMessage: String?
        private(set) var name: String
        init(name: String) { self.name = name }
        func reset() { errorMessage = nil }
      }
      """),
    Fixture(
      UncheckedSendable.self, "a write on an actor, and a local variable of the same name",
      """
      final class Service: @unchecked Sendable {
        var errorMessage: String?
        @MainActor func load() async { errorMessage = nil }
        func check() async {
          var errorMessage: String?
          errorMessage = "none"
          await MainActor.run { self.errorMessage = nil }
        }
      }
      """),
    Fixture(
      UncheckedSendable.self, "storage that is copied before a write",
      """
      struct Page {
        final class Storage: @unchecked Sendable {
          var rows: [Int] = []
          func load() async { rows = await fetch() }
        }
        private var storage: Storage
        mutating func add(_ row: Int) {
          if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
          storage.rows.append(row)
        }
      }
      final class Buffer: @unchecked Sendable {
        var bytes: [UInt8] = []
        func load() async { bytes = await fetch() }
      }
      struct Bytes {
        var buffer: Buffer
        mutating func clear() {
          if isKnownUniquelyReferenced(&buffer) { buffer.bytes = [] } else { buffer = Buffer() }
        }
      }
      """),
    Fixture(
      UncheckedSendable.self, "a box that another type does not copy",
      """
      struct Page {
        private var storage: Storage
        mutating func add(_ row: Int) {
          if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
        }
      }
      final class Cache: 1️⃣@unchecked Sendable {
        var rows: [Int] = []
        func load() async { rows = await fetch() }
      }
      """),
    Fixture(
      UncheckedSendable.self, "classes that state where they run",
      """
      final class Handler: @unchecked Sendable {
        private let eventLoop: any EventLoop
        var bytes = 0
        func read() async { eventLoop.execute { self.bytes += 1 }; bytes = 0 }
      }
      final class Session: @unchecked Sendable {
        var bytes = 0
        func read() async { channel.eventLoop.preconditionInEventLoop(); bytes = 0 }
      }
      final class Recorder: @unchecked Sendable {
        var bytes = 0
        func read() async { dispatchPrecondition(condition: .onQueue(work)); bytes = 0 }
      }
      final class Page: @unchecked Sendable {
        var bytes = 0
        func read() async { MainActor.preconditionIsolated(); bytes = 0 }
      }
      """),
    Fixture(
      UncheckedSendable.self, "a lock or a queue of the owner",
      """
      final class Pool {
        private let lock = NSLock()
        private var connections: [Connection] = []
      }
      final class Connection: @unchecked Sendable {
        var isBusy = false
        func use() async { isBusy = true }
      }
      final class Store {
        private let queue = DispatchQueue(label: "store")
        private var rows: [Row] = []
        final class Row: @unchecked Sendable {
          var value = 0
          func load() async { value = await fetch() }
        }
      }
      actor Cache {
        final class Entry: @unchecked Sendable {
          var value = 0
          func load() async { value = await fetch() }
        }
      }
      """),
    Fixture(
      UncheckedSendable.self, "an owner without a lock",
      """
      final class Pool { private var connections: [Connection] = [] }
      final class Connection: 1️⃣@unchecked Sendable {
        var isBusy = false
        func use() async { isBusy = true }
      }
      """),
    Fixture(
      UncheckedSendable.self, "a mock of a test",
      """
      import XCTest
      final class Mock: @unchecked Sendable {
        var calls = 0
        func load() async { calls += 1 }
      }
      """),
    Fixture(
      UncheckedSendable.self, "a mock and a benchmark outside the tests",
      """
      final class MockService: @unchecked Sendable {
        var calls = 0
        func load() async { calls += 1 }
      }
      final class SequenceBenchmark: @unchecked Sendable {
        private var source: Source?
        func setUp() async { source = Source() }
      }
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
        func load() async { condition = await fetch() }
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
