import Causeway
import CausewayWeb
import Synchronization
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(10))) struct `A shared reading` {
  private struct Broken: Error {}

  /// A sequence that a test continues, and the number of its readings.
  private final class Source: Sendable {
    private let current = Mutex<AsyncThrowingStream<Int, any Error>.Continuation?>(nil)
    let openings = Atomic(0)

    func open(_ first: Int) -> AsyncThrowingStream<Int, any Error> {
      openings.wrappingAdd(1, ordering: .relaxed)
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
      current.withLock { $0 = continuation }
      continuation.yield(first)
      return stream
    }
    func yield(_ value: Int) { current.withLock(\.self)?.yield(value) }
    func fail() { current.withLock(\.self)?.finish(throwing: Broken()) }
  }

  @Test func `follows the sequence once, and yields the changes that matter`() async throws {
    let source = Source()
    let reading = SharedReading({ source.open(1) }, change: { $1 - $0 })
    await reading.firstRead()
    let (all, large) = (reading.stream(), reading.stream(where: { $0 >= 10 }))
    source.yield(2)
    await until { reading.value == 2 }
    source.yield(20)
    await until { reading.value == 20 }
    source.fail()
    for stream in [all, large] {
      var last = 0
      await #expect(throws: Broken.self) { for try await value in stream { last = value } }
      #expect(last == 20)
    }
    #expect(source.openings.load(ordering: .relaxed) == 1 && reading.value == nil)
    for try await value in reading.stream() {
      #expect(value == 1)
      break
    }
    #expect(source.openings.load(ordering: .relaxed) == 2)
  }

  @Test func `waits for its first value, although another waiter is cancelled`() async {
    let (values, continuation) = AsyncStream.makeStream(of: Int.self)
    let reading = SharedReading({ values }, change: { $1 - $0 })
    let first = Task { await reading.firstRead() }
    let second = Task {
      await reading.firstRead()
      return reading.value
    }
    first.cancel()
    for _ in 1...10 { await Task.yield() }
    continuation.yield(7)
    #expect(await second.value == 7)
    await first.value
  }

  @Test func `yields again to the streams of one page`() async throws {
    final class Page: Sendable {}
    let (source, page) = (Source(), Page())
    let reading = SharedReading({ source.open(1) }, change: { $1 - $0 })
    await reading.firstRead()
    var own = reading.stream(for: ObjectIdentifier(page), where: { _ in false }).makeAsyncIterator()
    #expect(try await own.next() == 1)
    source.yield(2)
    await until { reading.value == 2 }
    reading.yieldAgain(to: ObjectIdentifier(page))
    #expect(try await own.next() == 2)
    reading.stop()
    var late = reading.stream().makeAsyncIterator()
    #expect(try await late.next() == nil)
  }

  private struct Text: Interactor {
    struct State: Encodable, Sendable { var text = "" }
    enum Action: Sendable { case none }
    var body: some InteractorOf<Self> { Interact(initialValue: State()) { _, _ in .state } }
  }

  @Test func `has states for each key while they are in use, up to a limit`() throws {
    let states = SharedStates<Int, Int>(limit: 2, fallback: 0) { key in
      (try SharedState("shared", of: ViewModel(Text())), key)
    }
    for key in 1...10 { #expect(try states.state(for: key).value == key) }
    let kept = try [1, 2].map { try states.state(for: $0) }
    #expect(try states.state(for: 1).state === kept[0].state)
    #expect(try states.state(for: 3).value == 0)
    #expect(Set(states.values).isSuperset(of: [1, 2]))
  }

  @Test func `has objects for each key while they are in use`() {
    final class Board {}
    var boards = SharedObjects<String, Board>()
    let kept = boards.object(for: "a") { Board() }
    for number in 0..<1_000 { _ = boards.object(for: "\(number)") { Board() } }
    #expect(boards["a"] === kept && boards["7"] == nil && boards.all.count == 1)
  }
}
