import TestSupport
import Testing

/// A test's wait ends when the time limit of the test is over.
@Suite("Test support", .timeLimit(.minutes(10))) struct TestSupportTests {
  @Test func `a wait for missing values ends with its task`() async {
    let log = Log<Int>()
    log.append(1)
    let wait = Task { await log.wait(for: 3) }
    let other = Task { await log.wait(for: 2) }
    wait.cancel()
    await wait.value
    log.append(2)
    await other.value
    #expect(log.all == [1, 2])
  }

  @Test func `a wait for missing sleepers ends with its task`() async throws {
    let clock = ManualClock()
    let wait = Task { await clock.sleepers(2) }
    let other = Task { await clock.sleepers(1) }
    wait.cancel()
    await wait.value
    let sleep = Task { try await clock.sleep(for: .seconds(1)) }
    await other.value
    clock.advance(by: .seconds(1))
    try await sleep.value
  }

  @Test func `a wait in a cancelled task returns at once`() async {
    let task = Task {
      await until { false }
      await Log<Int>().wait(for: 1)
      await ManualClock().sleepers(1)
      await Gate().wait()
    }
    task.cancel()
    await task.value
  }
}
