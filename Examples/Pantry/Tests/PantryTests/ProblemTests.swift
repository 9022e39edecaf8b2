import Causeway
import CausewayData
import CausewayDataTesting
import Foundation
import Testing

@testable import pantry

@MainActor struct ProblemTests {
  struct FullPantry: PantryRepository {
    struct Full: LocalizedError {
      var errorDescription: String? { "The shelves are full." }
    }

    func items() -> LiveQuery<Synced<Item>> { LiveQuerySource().query() }
    func add(_ item: Item) async throws { throw Full() }
    func mark(_ id: String, isMissing: Bool) async throws {}
  }

  @Test func `a problem is shown until the next action`() async {
    let model = ViewModel(PantryList(pantry: FullPantry()))
    await model.send(.add(title: "Flour")).finish()
    #expect(model.problem == "The shelves are full.")
    model.send(.add(title: " "))
    #expect(model.problem == "An item needs a name.")
    await model.send(.mark(id: "1", isMissing: true)).finish()
    #expect(model.problem == nil)
  }
}
