import Testing

@testable import CausewayWeb

@Suite struct FirstStatesTests {
  @Test func `overlapping calls encode each state as its own JSON`() async throws {
    let firstStates = FirstStates()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for page in 0..<8 {
        group.addTask {
          for version in 0..<500 {
            let board = Board(title: "Page \(page)", rows: [Row(id: 1), Row(id: version)])
            let expected = try JSONValue(encoding: board)
            #expect(try firstStates.encode(board) == expected)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private struct Board: Encodable, Equatable {
    var title: String
    var rows: [Row]
  }

  private struct Row: Encodable, Equatable, Identifiable {
    var id: Int
  }
}
