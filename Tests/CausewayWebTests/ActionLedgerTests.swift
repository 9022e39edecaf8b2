import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10)))
struct ActionLedgerTests {
  private func describe(_ admission: ActionLedger<String>.Admission) -> String {
    switch admission {
    case .next: "next"
    case .repeated(let answer): "repeated \(answer)"
    case .forgotten: "forgotten"
    case .gap(let expected): "gap \(expected)"
    }
  }

  @Test
  func `actions are applied in the order of their numbers, and repeated ones get the same answer`()
  {
    var ledger = ActionLedger<String>()
    #expect(describe(ledger.admit(2)) == "gap 1")
    #expect(describe(ledger.admit(0)) == "gap 1")
    #expect(describe(ledger.admit(1)) == "next")
    ledger.record("first", for: 1)
    #expect(describe(ledger.admit(1)) == "repeated first")
    #expect(describe(ledger.admit(3)) == "gap 2")
    #expect(describe(ledger.admit(2)) == "next")
    ledger.record("second", for: 2)
    #expect(describe(ledger.admit(1)) == "repeated first")
    #expect(describe(ledger.admit(2)) == "repeated second")
    #expect(describe(ledger.admit(.max)) == "gap 3")
  }

  @Test func `a repeated action is not applied again after its answer was forgotten`() {
    var ledger = ActionLedger<String>()
    for number in 1...UInt64(ActionLedger<String>.remembered + 1) {
      ledger.record("\(number)", for: number)
    }
    #expect(describe(ledger.admit(1)) == "forgotten")
    #expect(describe(ledger.admit(2)) == "repeated 2")
  }

  @Test func `a number in a gap that the page has allowed is never applied`() {
    var ledger = ActionLedger<String>()
    ledger.record("first", for: 1)
    #expect(describe(ledger.admit(4)) == "gap 2")
    #expect(describe(ledger.admit(4, allowsGap: true)) == "next")
    ledger.record("fourth", for: 4)
    #expect(describe(ledger.admit(3, allowsGap: true)) == "forgotten")
    #expect(describe(ledger.admit(1)) == "repeated first")
    #expect(describe(ledger.admit(4, allowsGap: true)) == "repeated fourth")
    // After the largest number, there would be no number for the next action.
    #expect(describe(ledger.admit(.max, allowsGap: true)) == "gap 5")
  }
}
