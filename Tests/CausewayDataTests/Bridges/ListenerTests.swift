import CausewayData
import Foundation
import Synchronization
import TestSupport
import Testing

/// A source of numbers that calls its listeners on its own threads.
private final class Source: Sendable {
  /// This type is not `Sendable`, like the registrations of older libraries.
  final class Registration {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  let removed = Log<Int>()
  private let listeners = Mutex<[Int: @Sendable (Result<Int, any Error>) -> Void]>([:])

  func addListener(
    _ listener: @escaping @Sendable (Result<Int, any Error>) -> Void
  ) -> Registration {
    listeners.withLock { listeners in
      listeners[listeners.count] = listener
      return Registration(listeners.count - 1)
    }
  }

  func send(_ result: Result<Int, any Error>) {
    for listener in listeners.withLock({ $0.values }) { listener(result) }
  }
}

private struct Broken: Error {}

@Suite(.timeLimit(.minutes(10)))
struct ListenerTests {
  private func stream(
    of source: Source,
    buffering: AsyncThrowingStream<Int, any Error>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncThrowingStream<Int, any Error> {
    .listening(bufferingPolicy: buffering) { listener in
      source.addListener { listener($0) }
    } remove: { registration in
      source.removed.append(registration.number)
    }
  }

  @Test func `values sent between creating and iterating the stream are delivered`() async throws {
    let source = Source()
    let stream = stream(of: source)
    source.send(.success(1))
    source.send(.success(2))
    var iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next() == 1)
    #expect(try await iterator.next() == 2)
  }

  @Test func `a slow consumer of states gets the newest state`() async throws {
    let source = Source()
    var iterator = stream(of: source, buffering: .bufferingNewest(1)).makeAsyncIterator()
    for number in 1...100 { source.send(.success(number)) }
    #expect(try await iterator.next() == 100)
  }

  @Test func `an error ends the stream after the earlier values, and removes the listener once`()
    async
  {
    let source = Source()
    let stream = stream(of: source)
    source.send(.success(1))
    source.send(.failure(Broken()))
    source.send(.success(2))
    source.send(.failure(Broken()))
    var numbers: [Int] = []
    await #expect(throws: Broken.self) {
      for try await number in stream { numbers.append(number) }
    }
    #expect(numbers == [1])
    #expect(source.removed.all == [0])
  }

  @Test func `cancelling the consumer removes the listener once`() async throws {
    let source = Source()
    let stream = stream(of: source)
    let numbers = Log<Int>()
    let reading = Task {
      for try await number in stream { numbers.append(number) }
    }
    source.send(.success(1))
    await numbers.wait(for: 1)
    reading.cancel()
    try await reading.value
    #expect(source.removed.all == [0])
    source.send(.failure(Broken()))
    #expect(source.removed.all == [0])
  }

  @Test func `releasing the stream removes the listener`() {
    let source = Source()
    do { _ = stream(of: source) }
    #expect(source.removed.all == [0])
  }

  @Test func `a listener that fails during its registration is still removed`() async {
    let removed = Log<String>()
    let stream = AsyncThrowingStream<Int, any Error>.listening { listener in
      listener.fail(Broken())
      return "late"
    } remove: {
      removed.append($0)
    }
    await #expect(throws: Broken.self) { for try await _ in stream {} }
    #expect(removed.all == ["late"])
  }

  @Test func `an error of the registration ends the stream`() async {
    let removed = Log<Int>()
    let stream = AsyncThrowingStream<Int, any Error>.listening { _ -> Int in
      throw Broken()
    } remove: {
      removed.append($0)
    }
    await #expect(throws: Broken.self) { for try await _ in stream {} }
    #expect(removed.all.isEmpty)
  }

  @Test(arguments: 0..<50)
  func `an end and a concurrent cancellation remove the listener once`(_ round: Int) async {
    let source = Source()
    let stream = stream(of: source)
    let reading = Task { for try await _ in stream {} }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { source.send(.failure(Broken())) }
      group.addTask { reading.cancel() }
    }
    _ = await reading.result
    #expect(source.removed.all == [0])
  }

  /// A library that calls non-sendable callbacks on its own thread.
  private static func oldLibrary(_ callback: @escaping (Int) -> Void) {
    let box = UncheckedCallback(callback)
    Thread { box.call(7) }.start()
  }

  @MainActor
  @Test func `a callback on another thread does not trap in main-actor code`() async throws {
    let stream = AsyncThrowingStream<Int, any Error>.listening { listener in
      Self.oldLibrary { listener.yield($0) }
    } remove: { _ in
    }
    var iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next() == 7)
    let value = try await withCallback(of: Int.self) { callback in
      Self.oldLibrary { callback.resume(returning: $0) }
    }
    #expect(value == 7)
  }

  @Test func `a stream of a closure keeps the newest element and has the error of the closure`()
    async throws
  {
    let hasYielded = Gate()
    let stream = AsyncThrowingStream<Int, any Error>.newest { listener in
      for number in 1...100 { listener.yield(number) }
      hasYielded.open()
      throw Broken()
    }
    await hasYielded.wait()
    var iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next() == 100)
    await #expect(throws: Broken.self) { try await iterator.next() }
  }

  @Test func `the closure of a released stream is cancelled`() async {
    let (hasBegun, never) = (Gate(), Gate())
    let hasEnded = Gate()
    var stream: AsyncThrowingStream<Int, any Error>? = .newest { _ in
      hasBegun.open()
      // A cancelled task stops waiting.
      await never.wait()
      hasEnded.open()
    }
    _ = stream
    await hasBegun.wait()
    stream = nil
    await hasEnded.wait()
  }
}

/// Passes a callback to a thread without a check, as a C library does.
// Only one thread uses the callback, and calls it once.
private final class UncheckedCallback: @unchecked Sendable {
  private let callback: (Int) -> Void
  init(_ callback: @escaping (Int) -> Void) { self.callback = callback }
  func call(_ number: Int) { callback(number) }
}
