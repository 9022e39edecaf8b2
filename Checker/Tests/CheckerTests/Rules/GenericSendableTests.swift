import Testing

@testable import causeway

struct GenericSendableTests {
  static let fixtures = [
    Fixture(
      GenericSendable.self, "a value that cannot leave the main actor",
      """
      @MainActor final class Writer {
        func write<1️⃣Body: Encodable>(_ body: Body) async { await api.send(body) }
      }
      """),
    Fixture(
      GenericSendable.self, "a constraint",
      """
      @MainActor final class Writer {
        func write<Body: Encodable & Sendable>(_ body: Body) async { await api.send(body) }
        func put<Body>(_ body: Body) async where Body: Sendable { await api.send(body) }
      }
      """),
    Fixture(
      GenericSendable.self, "a synchronous method",
      "@MainActor final class Writer { func write<Body>(_ body: Body) { print(body) } }"),
    Fixture(
      GenericSendable.self, "an actor",
      "actor Writer { func write<Body>(_ body: Body) async { await api.send(body) } }"),
  ]

  @Test(arguments: fixtures)
  func `generic-sendable reports at the markers`(fixture: Fixture) { fixture.verify() }
}
