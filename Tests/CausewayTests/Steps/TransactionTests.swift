import Causeway
import Observation
import TestSupport
import Testing

@MainActor
struct TransactionTests {
  private let events = Log<String>()

  private func transaction(_ name: String) -> UpdateTransaction {
    let events = self.events
    return UpdateTransaction { publish in
      events.append("\(name) begins")
      publish()
      events.append("\(name) ends")
    }
  }

  private func observe(_ model: ViewModel<Script.State, Script.Action>) {
    let events = self.events
    withObservationTracking {
      _ = model.numbers
    } onChange: {
      events.append("observed")
    }
  }

  @Test func `the publication of an update happens inside its transaction`() async {
    let model = ViewModel(Script())
    observe(model)
    let transaction = transaction("animation")
    await model.run { _ in .perform { send in await send(transaction) { $0.numbers = [1] } } }
      .finish()
    #expect(events.all == ["animation begins", "observed", "animation ends"])
  }

  @Test func `the publication of an action happens inside its transaction`() async {
    let model = ViewModel(Script())
    observe(model)
    let transaction = transaction("animation")
    await model.run { _ in .perform { send in await send(.add(1), transaction) } }.finish()
    #expect(events.all == ["animation begins", "observed", "animation ends"])
  }

  @Test func `derived view state is published inside the transaction`() async {
    let events = self.events
    let model = ViewModel(
      Script(),
      reducer: { state in
        events.append("reduced")
        return state.numbers
      })
    let transaction = transaction("animation")
    await model.run { _ in
      .perform { send in await send(replacing: Script.State(numbers: [1]), transaction) }
    }.finish()
    #expect(events.all.suffix(3) == ["animation begins", "reduced", "animation ends"])
    #expect(model.viewState == [1])
  }

  @Test func `a transaction wraps its own publication only`() async {
    let model = ViewModel(Script())
    let transaction = transaction("animation")
    await model.run { _ in .perform { send in await send(.add(1), transaction) } }.finish()
    observe(model)
    model.send(.add(2))
    #expect(events.all == ["animation begins", "animation ends", "observed"])
  }

  @Test func `a cancelled effect's transaction is not opened`() async {
    let model = ViewModel(Script())
    let isSending = Signal()
    let isDone = Gate()
    let transaction = transaction("animation")
    model.run { _ in
      .perform(id: "x") { send in
        isSending.send()
        await send(.add(1), transaction)
        isDone.open()
      }
    }
    #expect(isSending.wait())
    model.run { _ in .cancel("x") }
    await isDone.waitUncancellably()
    model.send(.add(2))
    #expect(events.all.isEmpty)
  }
}
