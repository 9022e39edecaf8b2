import Testing

@testable import CausewayExploration

private actor Account {
  private(set) var balance = 10

  func withdraw(_ amount: Int) { balance -= amount }

  func withdrawIfPossible(_ amount: Int) { if balance >= amount { balance -= amount } }
}

private func isEnough(_ balance: Int) -> Bool { balance >= 10 }

private func body(isMended: Bool) -> @Sendable () async throws -> Void {
  {
    let account = Account()
    // Unstructured tasks, which have no executor preference of their own.
    let tasks = (0..<2).map { _ in
      Task {
        if isMended { return await account.withdrawIfPossible(10) }
        let balance = await account.balance
        if isEnough(balance) { await account.withdraw(10) }
      }
    }
    for task in tasks { await task.value }
    #expect(await account.balance == 0)
  }
}

struct CheckThenActTests {
  @Test func `an act after an old check is found`() {
    let orders = explore(body(isMended: false))
    #expect("\(orders)".contains("balance"), "\(orders)")
    #expect(orders.trials < 100)
  }

  @Test func `a check and an act in one step pass`() {
    let orders = explore(trials: 2_000, body(isMended: true))
    #expect(orders.failure == nil, "\(orders)")
  }
}
