import Causeway
import CausewayTesting
import Testing

@MainActor struct ShelfStateTests {
  // snippet
  @Test func `an empty result replaces the books`() async {
    let shelf = Shelf(policy: .latest) { _ in [] }
    let model = TestModel(shelf, initialState: Shelf.State(filter: "Swift", books: ["A guide"]))

    await model.send(.filter("Rust")) { $0.filter = "Rust" }
    await model.expect { $0.isLoading = true }
    await model.receive(\.found) {
      $0.books = []
      $0.isLoading = false
    }
    await model.finish()
  }
  // end
}
