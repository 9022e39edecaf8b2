import Testing

@testable import causeway

struct SemaphoreAroundTaskTests {
  static let fixtures = [
    Fixture(
      SemaphoreAroundTask.self, "a function that waits for its task",
      """
      func store(_ x: Int) {
        let done = DispatchSemaphore(value: 0)
        Task { await save(x); done.signal() }
        1️⃣done.wait()
      }
      final class Store {
        func load() -> Int {
          let group = DispatchGroup()
          group.enter()
          Task.detached { defer { group.leave() }; await self.read() }
          _ = 2️⃣group.wait(timeout: .now() + 5)
          return value
        }
      }
      """),
    Fixture(
      SemaphoreAroundTask.self, "a semaphore that another queue signals",
      """
      func store(_ x: Int) {
        let done = DispatchSemaphore(value: 0)
        queue.async { save(x); done.signal() }
        done.wait()
      }
      """),
    Fixture(
      SemaphoreAroundTask.self, "a semaphore that limits work in a task",
      """
      final class Limited {
        let permits = DispatchSemaphore(value: 4)
        func run() {
          Task {
            permits.wait()
            defer { permits.signal() }
            work()
          }
        }
      }
      """),
    Fixture(
      SemaphoreAroundTask.self, "a question, another semaphore, and the top of a program",
      """
      let finished = DispatchSemaphore(value: 0)
      Task { await main(); finished.signal() }
      finished.wait()
      func ask() -> Bool {
        let done = DispatchSemaphore(value: 0)
        let other = DispatchSemaphore(value: 0)
        Task { await work(); done.signal() }
        other.wait()
        return done.wait(timeout: .now()) == .success
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `semaphore-around-task reports at the markers`(fixture: Fixture) { fixture.verify() }
}
