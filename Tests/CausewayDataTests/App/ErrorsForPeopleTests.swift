import Causeway
import CausewayData
import CausewayTesting
import TestSupport
import Testing

/// The code of the article about errors.
@MainActor struct ErrorsForPeopleTests {
  private let logged = Log<String>()

  private func mooring(_ error: any Error) -> Mooring {
    Mooring(reserve: { _ in throw error }, log: { [logged] in logged.append($0) })
  }

  @Test func `people and developers get texts of their own`() async {
    let model = TestModel(mooring(MooringError.noBerth(harbour: "Kiel", length: 12)))
    await model.send(.reserve(harbour: "Kiel"))
    await model.expect {
      $0.problem = "There is no free berth for your boat. Choose another day."
    }
    #expect(logged.all == ["no berth of 12.0 m in Kiel"])
    await model.finish()
  }

  @Test func `the sentence of the server is shown, and its code tells the case`() async {
    let body = #"{"code":"no-berth","detail":"All berths are taken on this day.","status":409}"#
    let error = NetworkError(.status, message: "refused", status: 409, bodyExcerpt: body)
    let model = TestModel(mooring(error))
    await model.send(.reserve(harbour: "Kiel"))
    await model.expect { $0.problem = "All berths are taken on this day." }
    #expect(code(of: error) == "no-berth")
    #expect(code(of: NetworkError(.timedOut, message: "")) == nil)
    await model.finish()
  }

  @Test func `a key path is enough for most effects`() async {
    var state = Mooring.State()
    text(into: \Mooring.State.problem)(&state, MooringError.noBerth(harbour: "Kiel", length: 12))
    #expect(state.problem == "There is no free berth for your boat. Choose another day.")
    _ = perform { _ in }
  }
}
