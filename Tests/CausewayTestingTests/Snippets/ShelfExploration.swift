import Causeway
import CausewayTesting
import Testing

@MainActor struct ShelfExploration {
  @Test func `the books are those of the last filter`() async {
    await exploreInterleavings(
      of: Shelf(policy: .latest) { filter in
        await suspensionPoint()  // other effects may go on here, as during a request
        return ["\(filter) in a week"]
      }, script: [.filter("Go"), .filter("Rust"), .filter("Swift")], trials: 1_000
    ) { state in
      #expect(state.books == ["\(state.filter) in a week"])
    }
  }
}
