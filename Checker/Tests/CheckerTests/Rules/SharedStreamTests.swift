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
  ]

  @Test(arguments: fixtures)
  func `shared-stream reports at the markers`(fixture: Fixture) { fixture.verify() }
}
