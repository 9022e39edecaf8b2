import Causeway
import CausewayTesting
import TestSupport
import Testing

@MainActor struct CompositionTests {
  @Test func `children of the same kind have separate states`() async {
    let model = TestModel(Planner())
    await model.send(.origin(.edit("North"))) { $0.origin.query = "North" }
    await model.expect { $0.origin.piers = ["North"] }
    await model.send(.destination(.edit("Island"))) {
      $0.destination.query = "Island"
      $0.isComplete = true
    }
    await model.expect { $0.destination.piers = ["Island"] }
    await model.finish()
  }

  @Test func `rows, optional children and cases`() async {
    let model = TestModel(Booking())
    await model.send(.add) {
      $0.lastID = 1
      $0.passengers.updateOrAppend(Passenger.State(id: 1))
    }
    await model.send(.passenger(1, .rename("Ana"))) { $0.passengers[id: 1]?.name = "Ana" }
    await model.expect { $0.passengers[id: 1]?.isKnown = true }
    await model.send(.openNote) { $0.note = Note.State() }
    await model.send(.note(.edit("window"))) { $0.note?.text = "window" }
    await model.send(.closeNote) { $0.note = nil }
    await model.send(.payment(.card(.edit("4111")))) {
      $0.payment = .due(Card.State(number: "4111"))
    }
    await model.send(.payment(.confirm(receipt: "R1"))) { $0.payment = .paid(receipt: "R1") }
    await model.send(.remove(1)) { $0.passengers = IdentifiedArray() }
    await model.finish()
  }

  @Test func `an action for a missing child is dropped and reported once`() {
    let reports = Log<String>()
    // snippet
    let model = ViewModel(Booking(), onError: { reports.append("\($0)") })
    model.send(.note(.edit("late")))
    model.send(.note(.edit("later")))
    #expect(model.note == nil)
    #expect(reports.all.count == 1)
    // end
    #expect(reports.all.first?.contains("The action edit arrived") == true)
  }

  @Test func `changes by actions and by effects are each counted once`() async {
    let model = TestModel(Fare(quote: { $0 * 4 }))
    await model.send(.setPassengers(3)) { $0.passengers = 3 }
    await model.expect {
      $0.fare = 12
      $0.log = ["fare 12"]
    }
    await model.send(.setFare(12))
    await model.finish()
  }

  @Test func `every interactor of a body handles each action, in order`() async {
    let model = TestModel(Audited(fare: Fare(quote: { _ in 0 })))
    await model.send(.setFare(7)) {
      $0.fare = 7
      $0.log = ["fare 7", "setFare(7)"]
    }
    await model.finish()
  }

  @Test func `onChange observes changes of the interactors before it`() async {
    struct Counting: Interactor {
      let isLast: Bool
      var body: some Interactor<[Int], Int> {
        let base = Interact<[Int], Int>(initialValue: [0, 0]) { _, _ in .state }
        if isLast { return child(base).onChange(of: \.[0]) { count(&$0, $1) } }
        return child(base.onChange(of: \.[0]) { count(&$0, $1) })
      }

      private func child(_ base: some Interactor<[Int], Int>) -> ResolvedInteractor<[Int], Int> {
        base.scope(state: \.[0], action: { $0 }, embed: { $0 }) {
          Interact<Int, Int>(initialValue: 0) { state, action in
            state = action
            return .state
          }
        }
      }

      private func count(_ state: inout [Int], _ value: Int) -> Emission<[Int], Int> {
        state[1] += 1
        return .state
      }
    }
    let last = ViewModel(Counting(isLast: true))
    last.send(7)
    #expect(last.viewState == [7, 1])
    let first = ViewModel(Counting(isLast: false))
    first.send(7)
    #expect(first.viewState == [7, 0])
  }

  @Test func `rows are found by id and changed in place`() {
    // snippet
    var rows = IdentifiedArray(uniqueElements: [
      Passenger.State(id: 1, name: "Ana"), Passenger.State(id: 2, name: "Ben"),
    ])
    rows[id: 2]?.isKnown = true
    rows.modify(id: 1) { $0.name = "Anna" }
    rows.remove(id: 2)
    #expect(rows.map(\.name) == ["Anna"])
    // end
  }

  @Test func `a letter is kept when it is closed`() async {
    let kept = Log<String>()
    let model = TestModel(Correspondence(keep: { kept.append($0) }))
    await model.send(.write) { $0.letter = Letter.State() }
    await model.send(.letter(.write("Dear Ada"))) { $0.letter?.text = "Dear Ada" }
    await model.send(.close) { $0.letter = nil }
    await model.finish()
    #expect(kept.all == ["Dear Ada"])
  }
}
