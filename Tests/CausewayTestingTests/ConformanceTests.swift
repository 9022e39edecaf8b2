import CausewayTesting
import TestSupport
import Testing

private protocol Stack: Sendable {
  func push(_ number: Int) async
  func pop() async -> Int?
}

private actor ArrayStack: Stack {
  private var numbers: [Int] = []
  func push(_ number: Int) { numbers.append(number) }
  func pop() -> Int? { numbers.popLast() }
}

/// Returns the oldest element first, which breaks the promise.
private actor Queue: Stack {
  private var numbers: [Int] = []
  func push(_ number: Int) { numbers.append(number) }
  func pop() -> Int? { numbers.isEmpty ? nil : numbers.removeFirst() }
}

private struct Broken: Error {}

private let suite = ConformanceSuite<any Stack>([
  "the last element is removed first": { stack in
    await stack.push(1)
    await stack.push(2)
    if await stack.pop() != 2 { throw Broken() }
  },
  "an empty stack returns nothing": { stack in
    if await stack.pop() != nil { throw Broken() }
  },
])

@Suite("ConformanceSuite")
struct ConformanceTests {
  @Test(arguments: suite.cases(of: "array") { ArrayStack() })
  private func `a stack keeps its promises`(
    _ promise: ConformanceSuite<any Stack>.Case
  ) async throws {
    try await promise.verify()
  }

  @Test func `a promise that does not end is an error that names the promise`() async {
    let discarded = Log<Bool>()
    let waiting = ConformanceSuite<any Stack>([
      "ends": { _ in await Gate().wait() }
    ])
    let cases = waiting.cases(
      of: "queue", make: { Queue() }, discard: { _ in discarded.append(true) })
    let error = await #expect(throws: (any Error).self) {
      try await cases[0].verify(within: .milliseconds(20))
    }
    #expect(error.map { "\($0)" } == "queue: ends: the test has not ended within 0.02 seconds.")
    #expect(discarded.all == [true])
  }

  @Test func `an implementation that breaks a promise is detected and still discarded`() async {
    let discarded = Log<Bool>()
    let cases = suite.cases(
      of: "queue", make: { Queue() }, discard: { _ in discarded.append(true) })
    #expect(
      cases.map(\.description) == [
        "queue: the last element is removed first", "queue: an empty stack returns nothing",
      ])
    await #expect(throws: Broken.self) { try await cases[0].verify() }
    await #expect(throws: Never.self) { try await cases[1].verify() }
    #expect(discarded.all == [true, true])
  }
}
