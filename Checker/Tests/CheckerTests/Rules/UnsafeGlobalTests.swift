import Testing

@testable import causeway

struct UnsafeGlobalTests {
  static let fixtures = [
    Fixture(
      UnsafeGlobal.self, "variables that functions write",
      """
      1️⃣nonisolated(unsafe) var count = 0
      func increment() { count += 1 }
      enum Settings {
        2️⃣nonisolated(unsafe) static var theme = 0
        static func use(_ new: Int) { Settings.theme = new }
      }
      """),
    Fixture(
      UnsafeGlobal.self, "variables behind a lock, and constants",
      """
      nonisolated(unsafe) var count = 0
      func increment() { lock.withLock { count += 1 } }
      enum Settings {
        nonisolated(unsafe) static let theme = Theme()
        nonisolated(unsafe) static var unused = 0
        static func use() { print(unused) }
      }
      """),
    Fixture(
      UnsafeGlobal.self, "instance variables and local variables",
      """
      final class Box {
        nonisolated(unsafe) var count = 0
        func increment() { count += 1 }
      }
      nonisolated(unsafe) var total = 0
      func sum() { var total = 0; total += 1 }
      """),
  ]

  @Test(arguments: fixtures)
  func `unsafe-global reports at the markers`(fixture: Fixture) { fixture.verify() }
}
