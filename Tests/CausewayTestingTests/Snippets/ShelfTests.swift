import Causeway
import CausewayTesting
import Testing

@MainActor struct ShelfTests {
  @Test func `a filter finds books after a pause`() async {
    let clock = TestClock()
    let model = TestModel(Shelf { ["\($0) in a week"] }, clock: clock)

    await model.send(.filter("Swift")) { $0.filter = "Swift" }
    await clock.advance(by: .milliseconds(300))
    await model.expect { $0.isLoading = true }
    await model.receive(\.found) {
      $0.books = ["Swift in a week"]
      $0.isLoading = false
    }
    await model.finish()
  }
}
