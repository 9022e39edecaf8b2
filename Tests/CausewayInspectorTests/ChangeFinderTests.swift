import CausewaySystem
import Synchronization
import Testing

@testable import CausewayInspector

@Suite struct ChangeFinderTests {
  enum Place: Equatable {
    case none
    case list(Rows)
    case pair(Int, String)
  }

  struct Rows: Equatable {
    var rows: [Row] = []
    var chosen: Row?
    var byName: [String: Int] = [:]
  }

  struct Row: Equatable {
    var title: String
    var tags: [String] = []
  }

  /// A value without `==`.
  struct Loose {
    var number = 0
  }

  struct State {
    var place = Place.none
    var other = Rows()
    var passphrase = "a"
    var loose = Loose()

    mutating func change(_ random: inout SplitMix64) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: place = [.none, .list(other), .pair(1, "b")].randomElement(using: &random) ?? .none
      case 1: other.rows.insert(Row(title: "Row \(other.rows.count)"), at: 0)
      case 2: other.rows.append(Row(title: String(repeating: "long ", count: 200)))
      case 3: other.rows.removeSubrange((other.rows.count + 1) / 2..<other.rows.count)
      case 4:
        if let index = other.rows.indices.randomElement(using: &random) {
          other.rows[index].tags.append("tag")
        }
      case 5: other.chosen = other.rows.randomElement(using: &random)
      case 6:
        passphrase += "a"
        loose.number = Int.random(in: 0...1, using: &random)
      default: other.byName["\(Int.random(in: 0..<5, using: &random))"] = other.rows.count
      }
      if case .list = place { place = .list(other) }
    }
  }

  @Test func `finds the same with what is known of the state before`() {
    var random = SplitMix64(seed: 7)
    var state = State()
    var known = StatePart(state)
    for step in 0..<600 {
      let before = state
      for _ in 0..<Int.random(in: 1...3, using: &random) { state.change(&random) }
      // A collection beyond the limit, whose parts are not kept.
      if step == 400 { state.other.rows = (0..<250).map { Row(title: "\($0)") } }
      if step == 500 { state.other.rows = [] }
      let fresh = ChangeFinder.changes(from: before, to: state, hiding: RedactionRules())
      let found: [RecordedEvent.Change]
      (found, known) = ChangeFinder.changes(from: known, to: state, hiding: RedactionRules())
      // Of a large state, more texts are known than one step may read.
      let isSame =
        (400...500).contains(step) ? found.map(\.path) == fresh.map(\.path) : found == fresh
      #expect(isSame, "step \(step)")
    }
  }

  /// A row that counts how often it is read.
  struct Counted: Equatable, CustomReflectable {
    static let reads = Mutex(0)
    var number: Int

    var customMirror: Mirror {
      Self.reads.withLock { $0 += 1 }
      return Mirror(self, children: ["number": number], displayStyle: .struct)
    }
  }

  @Test func `reads only the element that a step adds, after the first step`() {
    let rows = (0..<50).map { Counted(number: $0) }
    var known = StatePart(rows)
    var found: [RecordedEvent.Change] = []
    (found, known) = ChangeFinder.changes(
      from: known, to: rows + [Counted(number: 50)], hiding: RedactionRules())
    let before = Counted.reads.withLock(\.self)
    #expect(before >= 51)
    (found, known) = ChangeFinder.changes(
      from: known, to: rows + [50, 51].map { Counted(number: $0) }, hiding: RedactionRules())
    #expect(Counted.reads.withLock(\.self) == before + 1)
    #expect(found.first?.after?.hasSuffix("Counted(number: 51)]") == true)
  }
}
