// Written by `causeway-recording test --orders`. The recording has hidden values as
// "<hidden>".
import CausewayTesting
import Testing

@MainActor @Test func `Search allows other orders of its effects`() async {
  // The kit runs the effects, with the dependencies of this feature, in many orders.
  await exploreInterleavings(of: Search(find: { _ in [] })) { model in
    await model.send(.updateQuery("boats"))
    await model.send(.signIn(Search.Login(name: "ana", passphrase: "<hidden>")))
    await model.send(.show(page: 1))
    await model.send(.show(page: 2))
  } check: { state in
    // The state of the session after step 5.
    if case .shown(let shown) = state.stage {
      #expect(shown.number == 2)
    } else {
      Issue.record("The state has another case.")
    }
  }
}
