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

  @Test func `finds the same changes if it knows the texts of the previous state`() {
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
      // If the state is large, more of its texts are known than one step may read.
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

  /// A name that is equal in all spellings.
  struct Name: Equatable {
    var text: String
    static func == (one: Name, other: Name) -> Bool {
      one.text.lowercased() == other.text.lowercased()
    }
  }

  struct Person: Equatable {
    var name: Name
    var age = 1
    var past: [Name] = []
  }

  @Test func `reads the last of several equal values`() {
    var known = StatePart(Person(name: Name(text: "ben")))
    var person = Person(name: Name(text: "ben"), age: 2)
    func found() -> [RecordedEvent.Change] {
      let (found, next) = ChangeFinder.changes(from: known, to: person, hiding: RedactionRules())
      known = next
      return found
    }
    #expect(found().map(\.path) == ["age"])
    person.name = Name(text: "zoe")
    #expect(found().map(\.after) == [#""zoe""#])
    person.name = Name(text: "Zoe")
    #expect(found().isEmpty)
    person.name = Name(text: "Ana")
    #expect(found().first?.before == #""Zoe""#)
    person.past = [Name(text: "a"), Name(text: "b")]
    #expect(found().first?.after?.contains(#"Name(text: "b")"#) == true)
    person.past[0] = Name(text: "A")
    person.age = 3
    #expect(found().map(\.path) == ["age"])
    person.past[0] = Name(text: "c")
    #expect(found().first?.before == #""A""#)
  }

  /// A value that shows only the fields that are set.
  struct Sparse: Equatable, CustomReflectable {
    var fields: [String: Int]

    var customMirror: Mirror {
      Mirror(
        self, children: fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value as Any) },
        displayStyle: .struct)
    }
  }

  @Test func `finds changes of a field that a mirror shows later`() {
    var known = StatePart(Sparse(fields: ["a": 1]))
    var found: [RecordedEvent.Change] = []
    (found, known) = ChangeFinder.changes(
      from: known, to: Sparse(fields: ["a": 1, "b": 1]), hiding: RedactionRules())
    #expect(found.count == 1)
    (found, known) = ChangeFinder.changes(
      from: known, to: Sparse(fields: ["a": 1, "b": 2]), hiding: RedactionRules())
    #expect(found.map(\.path) == ["b"])
  }

  @Test func `finds the changes of one step after a step that was dropped`() {
    let differences = StateDifferences<Person>()
    let states = (0..<4).map { KeptState(Person(name: Name(text: "a"), age: $0)) }
    func found(_ before: Int, _ after: Int) -> [String?] {
      differences.find(from: states[before], to: states[after], hiding: RedactionRules())
        .map(\.before)
    }
    #expect(found(0, 1) == ["0"])
    #expect(found(2, 3) == ["2"])
  }
}
