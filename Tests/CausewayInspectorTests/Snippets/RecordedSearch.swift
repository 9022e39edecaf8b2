// Written by `causeway-recording test`. Effects do not run here, so the dependencies of the
// feature are not used. The recording has hidden values as "<hidden>".
import CausewayTesting
import Testing

@MainActor @Test func `Search goes on as recorded until step 5`() {
  let run = ScriptedRun(Search())
  run.send(.updateQuery("boats"))
  run.update(from: "search #1") { state in
    state.rows = [Search.Row(id: 1, title: "\"boats\"")]
  }
  run.send(.signIn(Search.Login(name: "ana", passphrase: "<hidden>")))
  run.send(.show(page: 1))
  run.send(.show(page: 2))
  // The state of the session after step 5.
  if case .shown(let shown) = run.state.stage {
    #expect(shown.number == 2)
  } else {
    Issue.record("The state has another case.")
  }
}
