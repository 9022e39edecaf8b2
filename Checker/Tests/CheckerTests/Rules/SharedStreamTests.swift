import Testing

@testable import causeway

struct SharedStreamTests {
  static let fixtures = [
    Fixture(
      SharedStream.self, "two loops of one stream",
      """
      final class Hub {
        let events: AsyncStream<Int>
        private let (names, continuation) = AsyncStream.makeStream(of: String.self)
        func show() async { for await event in events { print(event) } }
        func log() async { for await event in 1️⃣self.events { print(event) } }
        func a() { Task { for await name in names.map(\\.count) { print(name) } } }
        func b() { Task { for await name in 2️⃣names { print(name) } } }
      }
      """),
    Fixture(
      SharedStream.self, "one loop for each stream",
      """
      final class Hub {
        let events: AsyncStream<Int>
        let names: AsyncStream<String>
        func show() async { for await event in events { print(event) } }
        func log() async { for await name in names { print(name) } }
      }
      """),
    Fixture(
      SharedStream.self, "streams that are made for each reader",
      """
      final class Hub {
        var events: AsyncStream<Int> { AsyncStream { _ in } }
        let shared: Broadcast<Int>
        func show() async { for await event in events { print(event) } }
        func log() async { for await event in events { print(event) } }
        func a() async { for await event in shared { print(event) } }
        func b() async { for await event in shared { print(event) } }
      }
      """),
    Fixture(
      SharedStream.self, "a local stream with the name of the property",
      """
      final class Hub {
        let events: AsyncStream<Int>
        func show() async { for await event in events { print(event) } }
        func log(_ events: AsyncStream<Int>) async { for await event in events { print(event) } }
      }
      """),
    Fixture(
      SharedStream.self, "a local stream that two tasks read",
      """
      func run() async {
        let (frames, continuation) = AsyncStream.makeStream(of: Int.self)
        Task { for await frame in frames { print(frame) } }
        Task { for await frame in 1️⃣frames { print(frame) } }
        let events = AsyncThrowingStream<Int, any Error> { $0.finish() }
        await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { for try await event in events { print(event) } }
          group.addTask { for try await event in 2️⃣events.map({ $0 + 1 }) { print(event) } }
        }
      }
      """),
    Fixture(
      SharedStream.self, "a local stream with one reader at a time",
      """
      func run() async {
        let (frames, continuation) = AsyncStream.makeStream(of: Int.self)
        for await frame in frames { if frame == 0 { break } }
        for await frame in frames { print(frame) }
        let events = AsyncStream<Int> { $0.finish() }
        if isFast {
          Task { for await event in events { print(event) } }
        } else {
          Task { for await event in events { print(event, event) } }
        }
        let numbers = [1, 2].publisher.values
        Task { for await number in numbers { print(number) } }
        Task { for await number in numbers { print(number) } }
      }
      """),
    Fixture(
      SharedStream.self, "functions with one name are alternatives",
      """
      final class Pool {
        private let events: AsyncStream<Int>
        func run(in group: inout TaskGroup<Void>) async { for await event in events { print(event) } }
        func run(in group: inout DiscardingTaskGroup) async {
          for await event in events { print(event) }
        }
      }
      """),
    Fixture(
      SharedStream.self, "tasks that a loop starts, and tasks of one function",
      """
      func run() async {
        let (frames, continuation) = AsyncStream.makeStream(of: Int.self)
        await withTaskGroup(of: Void.self) { group in
          for worker in 0..<4 {
            group.addTask { for await frame in 1️⃣frames { print(worker, frame) } }
          }
        }
      }
      struct Page: View {
        let events: AsyncStream<Int>
        var body: some View {
          List {}
            .task { for await event in events { show(event) } }
            .task { for await event in 2️⃣events { log(event) } }
        }
      }
      final class Hub {
        private let events: AsyncStream<Int>
        init() { Task { for await event in events { print(event) } } }
        func log() async { for await event in 3️⃣events { print(event) } }
      }
      """),
    Fixture(
      SharedStream.self, "a stream for each turn, and tasks of which one starts",
      """
      func run() async {
        for _ in 0..<4 {
          let (frames, continuation) = AsyncStream.makeStream(of: Int.self)
          Task { for await frame in frames { print(frame) } }
        }
      }
      final class Hub {
        private let events: AsyncStream<Int>
        func start() {
          if isFast {
            Task { for await event in events { print(event) } }
          } else {
            Task { for await event in events { print(event, event) } }
          }
        }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `shared-stream reports at the markers`(fixture: Fixture) { fixture.verify() }
}
