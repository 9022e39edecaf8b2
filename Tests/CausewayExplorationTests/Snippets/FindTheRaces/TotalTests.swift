import CausewayExploration
import Testing

private enum Step: Sendable { case add, read }

private actor Total {
  private(set) var value = 0

  func add() -> Int {
    value += 1
    return value
  }
}

struct TotalTests {
  // snippet
  @Test func `two tasks lose no update`() async throws {
    try await exploreOperations(
      [Step.add, .read], each: 1,
      model: SequentialModel<Int, Step, Int>(0) { sum, step in
        if step == .add { sum += 1 }
        return sum
      },
      on: { Total() }
    ) { total, step in
      step == .add ? await total.add() : await total.value
    }
  }
  // end
}
