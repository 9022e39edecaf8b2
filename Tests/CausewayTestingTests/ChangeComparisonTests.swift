import CausewaySystem
import TestSupport
import Testing

@testable import CausewayTesting

/// The enumeration of changes that are compared by their results, on small programs in memory.
@MainActor
@Suite("Changes whose order counts")
struct ChangeComparisonTests {
  /// A step of a program.
  ///
  /// Most steps change the variables, and only their results show the variables that they have read.
  enum Operation: Sendable {
    case set(Int, Int)
    case add(Int, Int)
    case copy(from: Int, to: Int)
    /// Sets a variable if two other variables have certain values.
    case setIf(Int, Int, Int, Int, result: Int)
    /// Reads all variables, without a change that shows it.
    case read
    /// Sets a variable to the value that was read.
    case write(Int)
    /// Lets another program begin if a variable has a certain value.
    case startIf(Int, Int, program: Int)

    /// Whether the step does more than change variables.
    var isOpaque: Bool {
      switch self {
      case .read, .startIf: true
      default: false
      }
    }

    func change(_ values: inout [Int], seen: Int) {
      switch self {
      case .set(let variable, let value): values[variable] = value
      case .add(let variable, let value): values[variable] = (values[variable] + value) % 7
      case .copy(let from, let to): values[to] = values[from]
      case .setIf(let first, let one, let second, let two, let result):
        if values[first] == one, values[second] == two { values[result] = 6 }
      case .write(let variable): values[variable] = seen
      case .read, .startIf: break
      }
    }
  }

  struct Programs {
    var operations: [[Operation]]
    var waiting: Set<Int> = []
    var variables = 3

    @MainActor
    func results(reduced: Bool, limit: Int = 300_000) -> (values: Set<[Int]>, trials: Int)? {
      allOrders(limit: limit) { run(&$0, reduced: reduced) }
    }

    @MainActor
    private func run(_ search: inout OrderSearch, reduced: Bool) -> [Int] {
      var values = Array(repeating: 0, count: variables)
      var places = operations.map { _ in 0 }
      var seen = operations.map { _ in 0 }
      var waiting = waiting
      let changes = ChangeComparison<[Int]>()
      var step = 0
      while true {
        let ready = operations.indices.filter {
          places[$0] < operations[$0].count && !waiting.contains($0)
        }
        if ready.isEmpty { break }
        let taken = ready[search.choose(ready.map { .effect(action: 0, number: $0) })]
        let operation = operations[taken][places[taken]]
        places[taken] += 1
        let before = values
        if case .read = operation { seen[taken] = values.reduce(0) { ($0 * 3 + $1) % 7 } }
        if case .startIf(let variable, let value, let program) = operation,
          values[variable] == value
        {
          waiting.remove(program)
        }
        operation.change(&values, seen: seen[taken])
        if !operation.isOpaque {
          changes.add(
            { [seen = seen[taken]] in
              operation.change(&$0.pointee, seen: seen)
              return true
            }, step: step, before: before, after: values)
        }
        step += 1
        search.record(
          reduced
            ? Footprint(objects: [], state: operation.isOpaque ? .anything : .change) : .unknown)
      }
      if reduced { changes.findConflicts(in: &search) }
      return values
    }
  }

  private func operation(_ random: inout SplitMix64, _ waiting: Set<Int>) -> Operation {
    func variable() -> Int { random.next(below: 3) }
    switch random.next(below: 12) {
    case 0, 1, 2: return .set(variable(), random.next(below: 3))
    case 3, 4: return .add(variable(), 1 + random.next(below: 2))
    case 5: return .copy(from: variable(), to: variable())
    case 6, 7, 8:
      return .setIf(
        variable(), random.next(below: 3), variable(), random.next(below: 3), result: variable())
    case 9: return .read
    case 10: return .write(variable())
    default:
      guard let program = waiting.first else { return .add(variable(), 1) }
      return .startIf(variable(), random.next(below: 2), program: program)
    }
  }

  private func programs(_ random: inout SplitMix64) -> Programs {
    let count = 2 + random.next(below: 3)
    let waiting: Set<Int> = random.next(below: 2) == 0 ? [count - 1] : []
    let operations = (0..<count).map { _ in
      (0..<1 + random.next(below: count == 4 ? 2 : 3)).map { _ in operation(&random, waiting) }
    }
    return Programs(operations: operations, waiting: waiting)
  }

  @Test(arguments: 0..<3)
  func `a search that compares changes reaches each result of random programs`(
    _ batch: Int
  ) throws {
    var random = SplitMix64(seed: UInt64(batch))
    var (all, reduced) = (0, 0)
    for number in 0..<scaled(100) {
      let programs = programs(&random)
      guard let every = programs.results(reduced: false, limit: 20_000) else { continue }
      let fewer = try #require(programs.results(reduced: true))
      #expect(every.values == fewer.values, "program \(number): \(programs)")
      all += every.trials
      reduced += fewer.trials
    }
    print("\(reduced) of \(all) orders")
    // Few programs can have few orders.
    #expect(runsWholeSizes ? reduced * 5 < all : reduced < all)
  }

  @Test func `changes of different variables are tried in one order`() throws {
    let programs = Programs(operations: (0..<3).map { [.set($0, 1), .add($0, 2)] })
    #expect(try #require(programs.results(reduced: true)).trials == 1)
  }

  @Test func `sums in one variable are tried in one order`() throws {
    let programs = Programs(operations: (0..<3).map { [.add(0, $0)] })
    #expect(try #require(programs.results(reduced: true)).trials == 1)
  }

  @Test func `a read that only two values together reveal is found`() throws {
    // In the first order, the condition never holds.
    let programs = Programs(operations: [
      [.setIf(0, 1, 1, 1, result: 2)], [.set(0, 1)], [.set(1, 1)],
    ])
    let (values, trials) = try #require(programs.results(reduced: true))
    #expect(values == [[1, 1, 0], [1, 1, 6]])
    #expect(trials <= 6)
  }

  @Test func `with too many orders of changes, all of them conflict`() throws {
    let programs = Programs(
      operations: (0..<2).map { program in
        (0..<40).map { .set(program, $0) }
      })
    #expect(programs.results(reduced: true, limit: 5) == nil)
  }

  @Test func `a change that is not repeatable conflicts with all`() {
    var (search, trials) = (OrderSearch(), 0)
    repeat {
      trials += 1
      let changes = ChangeComparison<Int>()
      var (value, places) = (0, [0, 0])
      for step in 0..<2 {
        let ready = [0, 1].filter { places[$0] == 0 }
        let taken = ready[search.choose(ready.map { .effect(action: 0, number: $0) })]
        places[taken] = 1
        let before = value
        value += 1
        changes.add(
          {
            $0.pointee += 2
            return true
          }, step: step, before: before, after: value)
        search.record(Footprint(objects: [], state: .change))
      }
      changes.findConflicts(in: &search)
    } while search.advance()
    #expect(trials == 2)
  }
}

/// The comparison of all parts of two values.
@Suite("Same values")
struct SameValueTests {
  private struct Named: Equatable {
    let id: Int
    let name: String
    static func == (left: Named, right: Named) -> Bool { left.id == right.id }
  }

  /// Neither its `==` nor its text contains the name.
  private struct Terse: Hashable, CustomStringConvertible {
    let id: Int
    let name: String
    var description: String { "\(id)" }
    static func == (left: Terse, right: Terse) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  /// Its mirror leaves out a part.
  private struct Hiding: CustomReflectable {
    let id: Int
    let name: String
    var customMirror: Mirror { Mirror(self, children: ["id": id]) }
  }

  private enum Phase { case idle, busy(Int) }
  private struct Plain { var phases: [Phase] }
  private final class Box {}

  @Test func `equal values are the same in all their parts`() {
    #expect(SameValue.isSame([1: ["a"], 2: []], [2: [], 1: ["a"]]))
    #expect(SameValue.isSame(Plain(phases: [.busy(1)]), Plain(phases: [.busy(1)])))
    #expect(SameValue.isSame(Int?.none as Any, Int?.none as Any))
    let box = Box()
    #expect(SameValue.isSame(box, box))
  }

  @Test func `values that differ in a part, or cannot be compared, are different`() {
    #expect(!SameValue.isSame(Named(id: 1, name: "a"), Named(id: 1, name: "b")))
    #expect(!SameValue.isSame([Named(id: 1, name: "a")], [Named(id: 1, name: "b")]))
    #expect(!SameValue.isSame([1: Named(id: 1, name: "a")], [1: Named(id: 1, name: "b")]))
    let (first, second) = (Terse(id: 1, name: "a"), Terse(id: 1, name: "b"))
    #expect(!SameValue.isSame([1: first], [1: second]))
    #expect(!SameValue.isSame([first] as Set, [second] as Set))
    #expect(!SameValue.isSame(Hiding(id: 1, name: "a"), Hiding(id: 1, name: "b")))
    #expect(!SameValue.isSame(Plain(phases: [.busy(1)]), Plain(phases: [.busy(2)])))
    #expect(!SameValue.isSame(Plain(phases: [.idle]), Plain(phases: [.busy(2)])))
    #expect(!SameValue.isSame(Box(), Box()))
    #expect(!SameValue.isSame({ 1 }, { 1 }))
    #expect(!SameValue.isSame(Int?.some(1) as Any, Int?.none as Any))
  }
}
