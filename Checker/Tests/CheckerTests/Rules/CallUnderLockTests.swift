import Testing

@testable import causeway

struct CallUnderLockTests {
  static let fixtures = [
    Fixture(
      CallUnderLock.self, "continuations of a stored state",
      """
      import Synchronization
      final class Hub: Sendable {
        struct State {
          var streams: [Int: AsyncStream<Int>.Continuation] = [:]
          var waiter: CheckedContinuation<Void, Never>?
        }
        let state = Mutex(State())
        func send(_ value: Int) {
          state.withLock { state in
            for stream in state.streams.values { stream.1️⃣yield(value) }
            state.streams[0]?.2️⃣finish()
          }
          state.withLock { $0.waiter.take()?.3️⃣resume() }
          state.withLock { $0.streams.values.forEach { $0.4️⃣yield(value) } }
        }
      }
      """),
    Fixture(
      CallUnderLock.self, "continuations that are known by their names, and in enum cases",
      """
      enum Phase { case idle, waiting(UnsafeContinuation<Int, Never>) }
      final class Box {
        let phase = OSAllocatedUnfairLock(initialState: Phase.idle)
        let other: NIOLockedValueBox<Phase>
        func wake() {
          other.withLockedValue { phase in
            switch phase {
            case .waiting(let waiter): waiter.1️⃣resume(returning: 1)
            case .idle: break
            }
          }
          box.withLock { $0.continuation?.2️⃣resume(throwing: CancellationError()) }
        }
      }
      """),
    Fixture(
      CallUnderLock.self, "between lock and unlock",
      """
      final class Source {
        let lock = NSLock()
        var continuation: AsyncStream<Int>.Continuation?
        var onEnd: (() -> Void)?
        func send(_ value: Int) {
          lock.lock()
          continuation?.1️⃣yield(value)
          lock.unlock()
        }
        func end() {
          lock.lock()
          defer { lock.unlock() }
          if let onEnd { 2️⃣onEnd() }
          guard let continuation else { return }
          continuation.3️⃣finish()
        }
        func both(_ isEnd: Bool) {
          lock.lock()
          if isEnd {
            lock.unlock()
            continuation?.finish()
            return
          }
          continuation?.4️⃣yield(1)
          lock.unlock()
        }
      }
      """),
    Fixture(
      CallUnderLock.self, "tasks, callbacks and escaping parameters",
      """
      final class Worker: Sendable {
        struct State {
          var task: Task<Void, Never>?
          var observers: [Int: @Sendable (Int) -> Void] = [:]
        }
        let state = Mutex(State())
        func stop(_ done: @escaping @Sendable () -> Void) {
          state.withLock { state in
            state.task?.1️⃣cancel()
            for observer in state.observers.values { 2️⃣observer(1) }
            3️⃣done()
          }
        }
      }
      """),
    Fixture(
      CallUnderLock.self, "functions of the module",
      """
      final class Broadcast: Sendable {
        let continuations = Mutex<[AsyncStream<Int>.Continuation]>([])
        func send(_ value: Int) {
          for continuation in continuations.withLock({ $0 }) { continuation.yield(value) }
        }
      }
      final class Service: Sendable {
        struct State {
          var value = 0
          var timer: Task<Void, Never>?
          mutating func stop() { timer?.cancel() }
        }
        let state = Mutex(State())
        let broadcast = Broadcast()
        func set(_ value: Int) {
          state.withLock { state in
            state.value = value
            broadcast.1️⃣send(value)
            2️⃣notify()
            state.3️⃣stop()
          }
        }
        private func notify() { broadcast.send(0) }
      }
      """),
    Fixture(
      CallUnderLock.self, "calls after the lock",
      """
      final class Hub: Sendable {
        struct State { var streams: [Int: AsyncStream<Int>.Continuation] = [:] }
        let state = Mutex(State())
        let lock = NSLock()
        func send(_ value: Int) {
          let streams = state.withLock { Array($0.streams.values) }
          for stream in streams { stream.yield(value) }
          state.withLock { $0.streams.removeValue(forKey: 1) }?.finish()
          defer { streams.first?.finish() }
          lock.lock()
          lock.unlock()
          streams.last?.yield(value)
        }
        func swap() {
          lock.lock()
          defer { done() }
          let streams = state.withLock(\\.streams)
          withExtendedLifetime(streams) { lock.unlock() }
          for stream in streams.values { stream.finish() }
        }
      }
      """),
    Fixture(
      CallUnderLock.self, "code that runs later",
      """
      final class Hub: Sendable {
        struct State {
          var continuation: AsyncStream<Int>.Continuation?
          var task: Task<Void, Never>?
        }
        let state = Mutex(State())
        func start() {
          state.withLock { state in
            let continuation = state.continuation
            state.task = Task { continuation?.yield(1) }
            continuation?.onTermination = { _ in continuation?.finish() }
          }
        }
      }
      """),
    Fixture(
      CallUnderLock.self, "other types with the same method names",
      """
      final class Downloads {
        struct Machine {
          mutating func yield(_ value: Int) -> Int { value }
          mutating func finish() {}
          mutating func cancel() {}
        }
        struct State {
          var machine = Machine()
          var transfer: URLSessionDataTask
          var order: Order
        }
        struct Order { func cancel() {} }
        let state: Mutex<State>
        func use() {
          state.withLock { state in
            state.transfer.resume()
            state.transfer.cancel()
            state.order.cancel()
            state.machine.finish()
            state.machine.cancel()
            _ = state.machine.yield(1)
          }
        }
      }
      """),
    Fixture(
      CallUnderLock.self, "async locks",
      """
      actor AsyncLock { func withLock(_ body: () async throws -> Void) async rethrows {} }
      final class Store {
        let lock = AsyncLock()
        let continuation: AsyncStream<Int>.Continuation
        func close() async throws {
          await lock.withLock { continuation.finish() }
          try await lock.withLock {
            try await save()
            continuation.finish()
          }
        }
      }
      """),
    Fixture(
      CallUnderLock.self, "bodies of locks, values, and closures whose code is known",
      """
      final class Locked<Value> {
        let lock = NSLock()
        var value: Value
        let now: () -> Int
        func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
          lock.lock()
          defer { lock.unlock() }
          return try body(&value)
        }
        func read() {
          lock.lock()
          defer { lock.unlock() }
          let print: () -> Void = {}
          print()
          time = now()
          time = { 1 }()
        }
      }
      """),
    Fixture(
      CallUnderLock.self, "a function that unlocks before it calls",
      """
      final class Source {
        let lock = NSLock()
        let continuation: AsyncStream<Int>.Continuation
        func close() {
          lock.lock()
          unlockAndFinish()
        }
        private func unlockAndFinish() {
          lock.unlock()
          continuation.finish()
        }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `call-under-lock reports at the markers`(fixture: Fixture) { fixture.verify() }
}
