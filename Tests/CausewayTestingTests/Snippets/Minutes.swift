import Causeway
import CausewayFoundation
import CausewayTesting
import Foundation
import Testing

// snippet
struct Minutes: Interactor {
  struct State: Equatable, Sendable {
    var entries: [Entry] = []
  }

  struct Entry: Identifiable, Equatable, Sendable {
    let id: UUID
    let date: Date
    let text: String
  }

  enum Action: Sendable {
    case add(String)
  }

  var body: some InteractorOf<Self> {
    InteractWithValues(initialValue: State()) { state, action, values in
      switch action {
      case .add(let text):
        state.entries.append(Entry(id: values[.uuid](), date: values[.date](), text: text))
        return .state
      }
    }
  }
}
// end

@MainActor
struct MinutesTests {
  // snippet
  @Test func `an entry has the date on which it was added`() async {
    let monday = Date(timeIntervalSince1970: 1_782_691_200)
    let model = TestModel(Minutes().providing(.date, { monday }))
    await model.send(.add("The tide is high.")) {
      $0.entries = [
        Minutes.Entry(id: UUID(counting: 0), date: monday, text: "The tide is high.")
      ]
    }
    await model.finish()
  }
  // end
}
