import Testing

@testable import causeway

struct YieldSpinTests {
  static let fixtures = [
    Fixture(
      YieldSpin.self, "loops that only yield",
      """
      func wait() async {
        while !isReady { await 1️⃣Task.yield() }
        while true {
          await 2️⃣Task.yield()
        }
        repeat { await 3️⃣Task.yield() } while await queue.isEmpty
      }
      """),
    Fixture(
      YieldSpin.self, "a fixed number of turns",
      "func settle() async { for _ in 0..<10 { await Task.yield() } }"),
    Fixture(
      YieldSpin.self, "a number or a time that ends the loop",
      """
      func wait() async {
        while clock.now < deadline { await Task.yield() }
        while !isReady && count() < 100 { await Task.yield() }
      }
      """),
    Fixture(
      YieldSpin.self, "loops that work",
      """
      func wait() async {
        while let item = next() { handle(item); await Task.yield() }
        while !isReady { try? await Task.sleep(for: .milliseconds(10)) }
      }
      """),
    Fixture(
      YieldSpin.self, "a test",
      "import Testing\nfunc wait() async { while !isReady { await Task.yield() } }"),
    Fixture(
      YieldSpin.self, "a condition in the loop",
      """
      func wait() async {
        while true {
          if isReady { break }
          await 1️⃣Task.yield()
        }
      }
      func work() async {
        while true {
          if isReady { break }
          step()
          await Task.yield()
        }
        while true {
          if Date() > deadline { return }
          await Task.yield()
        }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `yield-spin reports at the markers`(fixture: Fixture) { fixture.verify() }
}
