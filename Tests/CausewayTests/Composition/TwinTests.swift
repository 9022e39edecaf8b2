import Causeway
import TestSupport
import Testing

@MainActor
struct TwinTests {
  struct Follower: Interactor {
    let streams: [AsyncStream<Int>]
    let number: Int

    var body: some Interactor<[Int], Int> {
      Interact(initialValue: []) { _, _ in
        .observe(streams[number]) { state, number in state.append(number) }
      }
    }
  }

  struct Twins: Interactor {
    let streams: [AsyncStream<Int>]

    var body: some Interactor<[Int], Int> {
      Follower(streams: streams, number: 0)
      Follower(streams: streams, number: 1)
    }
  }

  @Test func `two of a kind in one body do not cancel each other's effects`() async {
    let streams = (1...2).map { number in
      AsyncStream<Int> { continuation in
        continuation.yield(number)
        continuation.finish()
      }
    }
    let model = ViewModel(Twins(streams: streams))
    await model.send(0).finish()
    #expect(model.viewState.sorted() == [1, 2])
  }
}
