import Causeway
import Testing

@Suite("Difference")
struct DifferenceTests {
  struct Row: Equatable, Identifiable, Sendable {
    var id: Int
    var title: String
  }

  enum Phase: Equatable, Sendable {
    case idle
    case loaded(Row)
  }

  struct State: Equatable, Sendable {
    var rows: [Row] = [Row(id: 1, title: "a"), Row(id: 2, title: "b"), Row(id: 3, title: "c")]
    var names: [String: Int] = ["x": 1, "y": 2]
    var tags: Set<String> = ["red"]
    var phase = Phase.loaded(Row(id: 9, title: "nine"))
    var note: String? = "note"
    var untouched = 0
  }

  private func lines(_ change: (inout State) -> Void) -> [String] {
    var state = State()
    change(&state)
    return Difference(expected: State(), actual: state).lines.map {
      "\($0.path): \($0.expected ?? "-") / \($0.actual ?? "-")"
    }
  }

  final class Node: Sendable {
    let number: Int
    let children: [Node]

    init(_ number: Int, _ children: [Node]) {
      self.number = number
      self.children = children
    }

    /// Objects in layers, each of which has all objects of the next layer.
    static func layers(width: Int, depth: Int, last: Int) -> Node {
      var layer = [Node(last, [])]
      for depth in 0..<depth { layer = (0..<width).map { _ in Node(depth, layer) } }
      return Node(-1, layer)
    }
  }

  @Test func `objects that share other objects are compared once`() {
    let lines = Difference(
      expected: Node.layers(width: 8, depth: 9, last: 1),
      actual: Node.layers(width: 8, depth: 9, last: 2)
    ).lines
    #expect(lines.count == 1)
    #expect(lines.first?.path.hasSuffix(".number") == true)
    #expect(lines.first?.expected == "1" && lines.first?.actual == "2")
  }

  struct Gauge: Equatable, Sendable {
    var ratio = Double.nan
    var list: [Float] = [1, .nan]
    var part: Double? = .nan
    var other = 0
  }

  @Test func `two NaN values are no difference, and other differences are found`() {
    var other = Gauge()
    #expect(Difference(expected: Gauge(), actual: other).lines.isEmpty)
    other.other = 1
    #expect(Difference(expected: Gauge(), actual: other).lines.map(\.path) == ["other"])
  }

  @Test func `equal values have no differences`() {
    #expect(lines { _ in } == [])
  }

  @Test func `a nested field is named by its path`() {
    #expect(lines { $0.rows[1].title = "B" } == ["rows[1].title: \"b\" / \"B\""])
  }

  @Test func `a removed first element is one difference`() {
    let lines = lines { $0.rows.removeFirst() }
    #expect(lines.count == 1)
    #expect(lines[0].hasPrefix("rows[0]: ") && lines[0].hasSuffix(" / -"))
  }

  @Test func `an inserted element is one difference`() {
    let lines = lines { $0.rows.insert(Row(id: 7, title: "new"), at: 1) }
    #expect(lines.count == 1)
    #expect(lines[0].hasPrefix("rows[1]: - / "))
  }

  @Test func `identified rows are compared as an array, without their index`() {
    struct List: Equatable, Sendable {
      var rows = IdentifiedArray(uniqueElements: [Row(id: 1, title: "a"), Row(id: 2, title: "b")])
    }
    var list = List()
    list.rows[id: 2]?.title = "B"
    list.rows.updateOrAppend(Row(id: 3, title: "c"))
    let lines = Difference(expected: List(), actual: list).lines
    #expect(lines.map(\.path) == ["rows[1].title", "rows[2]"])
    #expect(lines.last?.expected == nil)
    #expect(lines.last?.actual?.hasSuffix("Row(id: 3, title: \"c\")") == true)
  }

  @Test func `dictionaries are compared by key`() {
    #expect(
      lines {
        $0.names["x"] = nil
        $0.names["y"] = 3
        $0.names["z"] = 4
      } == ["names[\"x\"]: 1 / -", "names[\"y\"]: 2 / 3", "names[\"z\"]: - / 4"])
  }

  @Test func `set members are reported as missing or extra`() {
    #expect(lines { $0.tags = ["blue"] } == ["tags: \"red\" / -", "tags: - / \"blue\""])
  }

  @Test func `payloads of the same case are compared by field`() {
    #expect(
      lines { $0.phase = .loaded(Row(id: 9, title: "ten")) }
        == ["phase.loaded.title: \"nine\" / \"ten\""])
  }

  @Test func `optionals are unwrapped`() {
    #expect(lines { $0.note = "other" } == ["note: \"note\" / \"other\""])
    #expect(lines { $0.note = nil } == ["note: Optional(\"note\") / nil"])
  }

  @Test func `long values are abbreviated starting shortly before their first difference`() {
    let left = String(repeating: "a", count: 10_000)
    let line = Difference(expected: left + "x", actual: left + "y").lines[0]
    #expect(line.expected?.count ?? .max < 200)
    #expect(line.expected?.hasSuffix("ax\"") == true)
    #expect(line.actual?.hasSuffix("ay\"") == true)
  }

  @Test func `unequal values with the same description are printed`() {
    struct Odd: Equatable, Sendable {
      var number = 1
      static func == (left: Odd, right: Odd) -> Bool { false }
    }
    #expect(Difference(expected: Odd(), actual: Odd()).lines.count == 1)
  }

  @Test func `an object shared by both values is not compared, even if it has reference cycles`() {
    final class Pier {
      var left: Pier?
      var right: Pier?
    }
    struct Route {
      let pier: Pier
      var number = 0
    }
    let pier = Pier()
    (pier.left, pier.right) = (pier, pier)
    // Breaks the reference cycle.
    defer { (pier.left, pier.right) = (nil, nil) }
    let difference = Difference(expected: Route(pier: pier), actual: Route(pier: pier, number: 1))
    #expect(difference.lines.map(\.path) == ["number"])
  }
}
