import Causeway
import CausewayTesting
import Testing

// snippet
@MainActor struct DeparturesTests {
  struct Closed: Error {}

  struct OnlyNorth: Timetable {
    func departures(from pier: String) async throws -> [Departure] {
      guard pier == "North" else { throw Closed() }
      return [Departure(id: 1, destination: "Lighthouse", minutes: 19)]
    }
  }

  @Test func `departures of the chosen pier are shown, and problems reported`() async {
    let model = TestModel(Departures(timetable: OnlyNorth()))

    await model.send(.appear) { $0.isLoading = true }
    await model.expect {
      $0.list = [Departure(id: 1, destination: "Lighthouse", minutes: 19)]
      $0.isLoading = false
    }
    await model.send(.choosePier("South")) {
      $0.pier = "South"
      $0.isLoading = true
    }
    await model.expect {
      $0.problem = "The timetable cannot be read: Closed()"
      $0.isLoading = false
    }
    await model.finish()
  }
}
// end
