import Causeway
import Observation
import Testing

@MainActor struct ObservationsProbe {
  @Test func `observations deliver every value`() async {
    let model = ViewModel(Script())
    let seen = Observations { model.numbers }
    var iterator = seen.makeAsyncIterator()
    #expect(await iterator.next() == [])
    Task { model.send(.add(1)) }
    #expect(await iterator.next() == [1])
    Task { model.send(.add(2)) }
    #expect(await iterator.next() == [1, 2])
  }
}
