import CausewaySystem
import Testing

struct PriorityScheduleTests {
  /// The order of the steps of some tasks, each of which has the same number of steps.
  private func order(tasks: Int, steps: Int, depth: Int, length: Int, seed: UInt64) -> [Int] {
    var random = SplitMix64(seed: seed)
    var schedule = PrioritySchedule<Int>(depth: depth, length: length, using: &random)
    var left = Array(repeating: steps, count: tasks)
    var order: [Int] = []
    while true {
      let possible = left.indices.filter { left[$0] > 0 }
      if possible.isEmpty { return order }
      let place = schedule.choose(from: possible) { _, _ in
        PrioritySchedule<Int>.lowest | random.next()
      }
      order.append(possible[place])
      left[possible[place]] -= 1
    }
  }

  /// The number of times that the schedule left a task that could go on.
  private func switches(_ order: [Int], steps: Int) -> Int {
    var done: [Int: Int] = [:]
    return zip(order, order.dropFirst()).count { task, next in
      done[task, default: 0] += 1
      return task != next && done[task] != steps
    }
  }

  @Test(arguments: 1...4)
  func `a schedule of some depth leaves a task that can go on fewer times than its depth`(
    depth: Int
  ) {
    var most = 0
    for seed in UInt64(0)..<500 {
      let order = order(tasks: 4, steps: 5, depth: depth, length: 20, seed: seed)
      most = max(most, switches(order, steps: 5))
    }
    #expect(most == depth - 1)
  }

  /// Whether the steps of two tasks, four steps each, have an order that needs the given depth.
  private func isFault(_ order: [Int], depth: Int) -> Bool {
    let zero = order.indices.filter { order[$0] == 0 }
    let two = order.indices.filter { order[$0] == 2 }
    return switch depth {
    case 1: two[3] < zero[0]
    case 2: two[0] < zero[0] && zero[3] < two[1]
    default: two[0] < zero[0] && zero[0] < two[1] && two[3] < zero[1]
    }
  }

  @Test(arguments: 1...3)
  func `a fault of some ordered steps is found as often as the paper says`(depth: Int) {
    let seeds = 10_000
    let found = (0..<UInt64(seeds)).count { seed in
      isFault(order(tasks: 3, steps: 4, depth: depth, length: 12, seed: seed), depth: depth)
    }
    var expected = Double(seeds) / 3
    for _ in 1..<depth { expected /= 12 }
    // The seeds are always the same. Three standard deviations fewer are a fault of the schedule.
    #expect(Double(found) > expected - 3 * expected.squareRoot(), "\(found) of \(expected)")
  }

  @Test func `the first of equal tasks runs, and the choice from no tasks is 0`() {
    var random = SplitMix64(seed: 1)
    var schedule = PrioritySchedule<String>(depth: 3, length: 1, using: &random)
    #expect(schedule.choose(from: []) { _, _ in 7 } == 0)
    #expect(schedule.choose(from: ["a", "b"]) { _, _ in 7 } == 0)
  }
}
