import Causeway
import CausewayTesting
import Foundation
import Testing

/// Rows that each count in their own effect.
private struct Rows: Interactor {
  struct Row: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    var count = 0
  }

  struct State: Codable, Equatable, Sendable {
    var rows = IdentifiedArray<Int, Row>()
  }

  enum Action: Codable, Sendable {
    case add(Int)
    case remove(Int)
    case count(Int)

    var count: (Int, Bool)? {
      if case .count(let id) = self { (id, true) } else { nil }
    }
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { (state: inout State, action: Action) in
      switch action {
      case .add(let id): state.rows.updateOrAppend(Row(id: id))
      case .remove(let id): state.rows.remove(id: id)
      case .count: break
      }
      return .state
    }
    .forEach(\.rows, action: \.count, embed: { id, _ in .count(id) }) {
      Interact(initialValue: Row(id: 0)) { (_: inout Row, _: Bool) in
        .observe(.parallel) { row, send in
          var row = await row.current
          await suspensionPoint()
          row.count += 1
          await send(replacing: row)
        }
      }
    }
  }
}

@MainActor
@Suite("Identified rows in records and reports")
struct IdentifiedArrayCodingTests {
  private typealias RowArray = IdentifiedArray<Int, Rows.Row>

  @Test func `rows are encoded as an array and are found by id after decoding`() throws {
    let rows = RowArray(uniqueElements: [Rows.Row(id: 2), Rows.Row(id: 1, count: 5)])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(rows)
    #expect(String(decoding: data, as: UTF8.self) == #"[{"count":0,"id":2},{"count":5,"id":1}]"#)
    var read = try JSONDecoder().decode(RowArray.self, from: data)
    #expect(read == rows)
    #expect(read[id: 1]?.count == 5)
    let isAdded = read.append(Rows.Row(id: 2))
    #expect(!isAdded)
  }

  @Test func `decoding rows with the same id does not trap`() throws {
    let data = Data(#"{"rows":[{"count":0,"id":7},{"count":0,"id":8},{"count":1,"id":7}]}"#.utf8)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Rows.State.self, from: data)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("It threw \(error as Any).")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["rows", "Index 2"])
    #expect(context.codingPath.last?.intValue == 2)
    #expect(context.debugDescription.contains("The elements at 0 and 2 have the same id, 7."))
  }

  @Test func `a replay prints the recorded steps, also when rows are added and removed`()
    async throws
  {
    let script: [Rows.Action] = [.add(1), .add(2), .count(1), .remove(2), .count(1), .add(3)]
    func explore(seed: UInt64? = nil) async -> ExplorationResult {
      await exploreInterleavings(
        of: Rows(), options: ExplorationOptions(seed: seed, reporter: FailureReporter { _, _ in })
      ) { model in
        for action in script { await model.send(action) }
      } check: { state in
        struct Lost: Error {}
        if state.rows[id: 1]?.count != 2 { throw Lost() }
      }
    }
    let failure = try #require(await explore().failure)
    let replay = try #require(await explore(seed: failure.seed).failure)
    #expect(failure.steps == replay.steps)
    #expect(failure.steps.contains { $0.contains("rows[0].count: 0 → 1") })
    #expect(!failure.description.contains("membership"))
  }
}
