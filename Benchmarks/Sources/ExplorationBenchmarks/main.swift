import CausewayExploration

// Measures how many orders of a body are tried in a second, compared with plain runs of the body, and
// how many histories of an object are compared with its model.

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

/// The median of the rounds, in orders a second.
private func rate(_ count: () async throws -> Int) async throws -> Int {
  var rates: [Double] = []
  for _ in 0..<rounds {
    let begin = clock.now
    let count = try await count()
    rates.append(Double(count) / ((clock.now - begin) / .seconds(1)))
  }
  return Int(rates.sorted()[rounds / 2])
}

let explored = try await rate {
  do {
    return try await exploreInterleavings(for: .seconds(2)) { try await body() }.trials
  } catch let failure as ExplorationFailure {
    // The body has no fault, so the figures would be of no use.
    fatalError("\(failure)")
  }
}
let plain = try await rate {
  for _ in 0..<20_000 { try await body() }
  return 20_000
}
print(
  """
  orders of three tasks with three awaits: \(explored) a second (goal: 20,000); a plain run on all \
  threads: \(plain) a second
  """)
let histories = try await rate {
  try await exploreOperations(
    [true, false],
    model: SequentialModel<Int, Bool, Int>(0) { sum, adds in
      if adds { sum += 1 }
      return sum
    },
    on: { Counter() }
  ) { counter, adds in adds ? await counter.add() : await counter.count }.trials
}
print("histories of two tasks with two operations: \(histories) a second")
