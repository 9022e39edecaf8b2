import Testing

@testable import CausewayExploration

private actor Gate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private let isMended: Bool

  init(isMended: Bool) { self.isMended = isMended }

  nonisolated func wait() async {
    if await isOpen { return }
    await withCheckedContinuation { waiter in
      Task { await self.add(waiter) }
    }
  }

  private func add(_ waiter: CheckedContinuation<Void, Never>) {
    // The gate may have been opened since the look.
    if isMended, isOpen { return waiter.resume() }
    waiters.append(waiter)
  }

  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}

private func body(isMended: Bool) -> @Sendable () async throws -> Void {
  {
    let gate = Gate(isMended: isMended)
    async let waits: Void = gate.wait()
    async let opens: Void = gate.open()
    _ = await (waits, opens)
  }
}

struct LostWakeUpTests {
  @Test func `a lost wake-up is found, with the function that waits`() {
    let orders = explore(body(isMended: false))
    #expect(orders.failure?.reason.contains("waits for something that never happens") == true)
    #if os(Linux)
      #expect("\(orders)".contains("Gate.wait"), "\(orders)")
    #endif
  }

  @Test func `a gate that looks again passes`() {
    let orders = explore(trials: 2_000, body(isMended: true))
    #expect(orders.failure == nil, "\(orders)")
  }
}
