import CausewayExploration

// Measures the time to run a body in one order, compared with a plain run of the body. It also
// measures how many histories of an object are compared with its model in a second.

private actor Counter {
  private(set) var count = 0

  func add() -> Int {
    count += 1
    return count
  }
}

/// Three tasks with three awaits each.
@Sendable private func body() async throws {
  let counter = Counter()
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<3 {
      group.addTask {
        _ = await counter.add()
        await Task.yield()
        _ = await counter.add()
      }
    }
  }
}

private let clock = ContinuousClock()
private let rounds = 5

/// The time of one unit of work, in microseconds.
private func microseconds(_ work: () async throws -> Int) async throws -> Double {
  let begin = clock.now
  let count = try await work()
  return (clock.now - begin) / .microseconds(1) / Double(count)
}

private func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

private func text(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }

/// The number of orders that were tried.
///
/// A body has no fault, so a failure would make the figures useless.
private func trials(_ explore: () async throws -> ExploredOrders) async -> Int {
  do {
    return try await explore().trials
  } catch {
    fatalError("\(error)")
  }
}

// The order and the plain run alternate, because the load of the machine changes.
var (orders, plain, histories): ([Double], [Double], [Double]) = ([], [], [])
for _ in 0..<rounds {
  orders.append(
    try await microseconds {
      await trials {
        try await exploreInterleavings(for: .seconds(2)) { try await body() }
      }
    })
  plain.append(
    try await microseconds {
      for _ in 0..<20_000 { try await body() }
      return 20_000
    })
  histories.append(
    try await microseconds {
      await trials {
        try await exploreOperations(
          [true, false],
          model: SequentialModel<Int, Bool, Int>(0) { sum, adds in
            if adds { sum += 1 }
            return sum
          },
          on: { Counter() }
        ) { counter, adds in adds ? await counter.add() : await counter.count }
      }
    })
}
let (order, run) = (median(orders), median(plain))
// 20,000 orders a second.
print(
  """
  an order of three tasks with three awaits: \(text(order)) µs, a plain run on all threads \
  \(text(run)) µs, ratio \(text(order / run))  [<= 50 µs]
  """)
print(
  """
  \(Int(1_000_000 / order)) orders a second
  \(Int(1_000_000 / median(histories))) histories of two tasks with two operations a second
  """)
