import CausewaySystem
import TestSupport
import Testing

@testable import CausewayTesting

/// The enumeration of orders, on small programs in memory.
@Suite("Order search")
struct OrderSearchTests {
  /// A step of a program.
  enum Operation {
    /// Sets a variable to a number of its own.
    case set(Int)
    /// Adds one variable to another, and doubles the sum.
    case mix(from: Int, into: Int)
    /// Lets another program begin.
    case start(Int)
    case nothing

    var objects: Set<String> {
      switch self {
      case .set(let variable): ["\(variable)"]
      case .mix(let from, let into): ["\(from)", "\(into)"]
      case .start, .nothing: []
      }
    }
  }

  /// Programs that run beside each other.
  struct Programs {
    var operations: [[Operation]]
    /// The programs that wait for another one to start them.
    var waiting: Set<Int> = []

    /// The last values of all orders that a search tries, and the number of its trials.
    func results(reduced: Bool, limit: Int = 300_000) -> (values: Set<[Int]>, trials: Int)? {
      allOrders(limit: limit) { run(&$0, reduced: reduced) }
    }

    private func run(_ search: inout OrderSearch, reduced: Bool) -> [Int] {
      var values = [0, 0, 0]
      var places = operations.map { _ in 0 }
      var waiting = waiting
      while true {
        let ready = operations.indices.filter {
          places[$0] < operations[$0].count && !waiting.contains($0)
        }
        if ready.isEmpty { return values }
        let taken = ready[search.choose(ready.map { .effect(action: 0, number: $0) })]
        let operation = operations[taken][places[taken]]
        places[taken] += 1
        switch operation {
        case .set(let variable): values[variable] = taken * 10 + places[taken]
        case .mix(let from, let into): values[into] = (values[into] + values[from]) * 2 % 1_009
        case .start(let program): waiting.remove(program)
        case .nothing: break
        }
        search.record(reduced ? Footprint(objects: operation.objects) : .unknown)
      }
    }
  }

  private func programs(_ random: inout SplitMix64) -> Programs {
    var programs = Programs(operations: [])
    let count = 2 + random.next(below: 3)
    for _ in 0..<count {
      let length = 1 + random.next(below: count == 4 ? 2 : 3)
      programs.operations.append(
        (0..<length).map { _ in
          switch random.next(below: 7) {
          case 0, 1, 2: .set(random.next(below: 3))
          case 3, 4, 5: .mix(from: random.next(below: 3), into: random.next(below: 3))
          default: .nothing
          }
        })
    }
    if random.next(below: 2) == 0 {
      let child = count - 1
      programs.waiting = [child]
      programs.operations[0].insert(
        .start(child), at: random.next(below: programs.operations[0].count + 1))
    }
    return programs
  }

  @Test func `a reduced search reaches each result of random programs`() throws {
    var random = SplitMix64(seed: 1)
    var (all, reduced) = (0, 0)
    for number in 0..<scaled(200) {
      let programs = programs(&random)
      let every = try #require(programs.results(reduced: false))
      let fewer = try #require(programs.results(reduced: true))
      #expect(every.values == fewer.values, "program \(number): \(programs)")
      #expect(fewer.trials <= every.trials)
      all += every.trials
      reduced += fewer.trials
    }
    print("\(reduced) of \(all) orders")
    #expect(reduced * 5 < all)
  }

  @Test func `programs that share nothing are tried in one order`() throws {
    let programs = Programs(operations: (0..<3).map { [.set($0), .mix(from: $0, into: $0)] })
    #expect(try #require(programs.results(reduced: true)).trials == 1)
  }

  @Test func `three programs with one shared variable take six orders`() throws {
    let programs = Programs(operations: [[.set(0)], [.set(0)], [.set(0)]])
    #expect(try #require(programs.results(reduced: true)).trials == 6)
  }

  @Test func `a search at a limit reports the orders that were not tried`() throws {
    var search = OrderSearch()
    for _ in 0..<3 {
      for step in 0..<6 {
        _ = search.choose((step..<6).map { .effect(action: 0, number: $0) })
        search.record(.unknown)
      }
      let goesOn = search.advance()
      #expect(goesOn)
    }
    #expect(search.coverage.untried > 0)
    #expect(search.coverage.steps == 6)
    #expect(search.coverage.unvaried > 0)
  }
}
