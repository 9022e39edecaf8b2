import TestSupport
import Testing

@testable import Causeway

struct EffectScheduleTests {
  /// The possible events: a request, an end, a cancellation, a window's end.
  private static func moves(_ run: ScheduleRun, _ key: EffectKey) -> [(inout ScheduleRun) -> Void] {
    var moves: [(inout ScheduleRun) -> Void] = ScheduleRun.policies.map { policy in
      { $0.request(key, policy) }
    }
    for ticket in run.alive {
      moves.append { $0.end(ticket) }
    }
    moves.append { $0.handle(.cancel(key)) }
    if run.openWindows.contains(key) { moves.append { $0.handle(.windowEnded(key)) } }
    return moves
  }

  private static func explore(
    _ run: ScheduleRun, _ key: EffectKey, depth: Int, _ count: inout Int
  ) -> String? {
    var end = run
    end.windDown()
    count += 1
    if let problem = end.problem { return problem }
    guard depth > 0 else { return nil }
    for move in moves(run, key) {
      var next = run
      move(&next)
      if let problem = explore(next, key, depth: depth - 1, &count) { return problem }
    }
    return nil
  }

  @Test func `every script of a few events matches the model`() {
    var count = 0
    let depth = runsWholeSizes ? 4 : 3
    let problem = Self.explore(ScheduleRun(), ScheduleRun.key(0), depth: depth, &count)
    #expect(problem == nil)
    #expect(count > (runsWholeSizes ? 5_000 : 400))
  }

  @Test func `a cancellation without effects allocates nothing`() {
    var schedule = EffectSchedule<Int>()
    #expect(schedule.handle(.cancel(ScheduleRun.key(0))).capacity == 0)
  }

  @Test func `thousands of random scripts match the model`() {
    for seed in 0..<scaled(3_000) {
      var random = SeededRandom(seed: UInt64(seed))
      var run = ScheduleRun()
      // Each script has few policies, because effects with the same policy interact more.
      let policies = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        ScheduleRun.policies[Int.random(in: 0..<7, using: &random)]
      }
      for _ in 0..<25 {
        let key = ScheduleRun.key(Int.random(in: 0..<2, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
          run.request(key, policies[Int.random(in: 0..<policies.count, using: &random)])
        case 5..<8:
          if let ticket = run.alive.randomElement(using: &random) { run.end(ticket) }
        case 8:
          if run.openWindows.contains(key) { run.handle(.windowEnded(key)) }
        default:
          run.handle(.cancel(key))
        }
      }
      run.windDown()
      guard run.problem == nil else {
        Issue.record("seed \(seed): \(run.problem ?? "")")
        return
      }
    }
  }

  @Test func `a long queue runs in order, even if queued effects are cancelled`() {
    var schedule = EffectSchedule<Int>()
    let key = ScheduleRun.key(0)
    for ticket in 0..<1_000 {
      let commands = schedule.handle(.request(ticket, key, .serial))
      #expect(commands == (ticket == 0 ? [.start(0, after: nil)] : []))
    }
    for ticket in 1..<1_000 where !ticket.isMultiple(of: 7) {
      let commands = schedule.handle(.ended(ticket, key))
      #expect(commands.isEmpty)
    }
    for ticket in stride(from: 0, to: 1_000, by: 7) {
      let commands = schedule.handle(.ended(ticket, key))
      #expect(commands == (ticket + 7 < 1_000 ? [.start(ticket + 7, after: nil)] : []))
    }
    #expect(schedule.isEmpty)
  }

  @Test func `an unknown ticket changes nothing`() {
    var schedule = EffectSchedule<Int>()
    let key = ScheduleRun.key(0)
    for event in [EffectSchedule<Int>.Event.ended(1, key), .cancel(key), .windowEnded(key)] {
      let commands = schedule.handle(event)
      #expect(commands.isEmpty)
    }
    #expect(schedule.isEmpty)
  }

  @Test func `a ticket list keeps the order of an array`() {
    for seed in 0..<200 {
      var random = SeededRandom(seed: UInt64(seed))
      var list = TicketList<Int>()
      var array: [Int] = []
      var next = 0
      for _ in 0..<300 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0..<3:
          list.append(next)
          array.append(next)
          next += 1
        case 3:
          let first = list.popFirst()
          #expect(first == (array.isEmpty ? nil : array.removeFirst()))
        case 4:
          guard let ticket = array.randomElement(using: &random) else { continue }
          array.removeAll { $0 == ticket }
          let isRemoved = list.remove(ticket)
          #expect(isRemoved)
        default:
          let isRemoved = list.remove(next)
          #expect(!isRemoved)
        }
        var emptied = list
        var all: [Int] = []
        emptied.removeAll { all.append($0) }
        guard all == array, list.count == array.count, list.isEmpty == array.isEmpty else {
          Issue.record("seed \(seed): \(all) is not \(array)")
          return
        }
        #expect(emptied.isEmpty)
        if Int.random(in: 0..<100, using: &random) == 0 {
          // The emptied list keeps its memory, and must work like a new list.
          list = emptied
          array = []
        }
      }
    }
  }
}
