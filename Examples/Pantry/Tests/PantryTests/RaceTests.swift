import Causeway
import CausewayData
import CausewayDataTesting
import CausewayTesting
import Testing

@testable import pantry

@MainActor struct RaceTests {
  /// Keeps one mark, and takes its time.
  actor SlowPantry: PantryRepository {
    var isMissing = false

    nonisolated func items() -> LiveQuery<Synced<Item>> { LiveQuerySource().query() }
    func add(_ item: Item) async throws {}

    func mark(_ id: String, isMissing: Bool) async throws {
      await suspensionPoint()
      self.isMissing = isMissing
    }
  }

  @Test func `the last mark wins`() async {
    await exploreInterleavings(in: { SlowPantry() }, of: { PantryList(pantry: $0) }) { model, _ in
      await model.send(.mark(id: "1", isMissing: true))
      await model.send(.mark(id: "1", isMissing: false))
    } check: { _, pantry in
      #expect(await !pantry.isMissing)
    }
  }
}
