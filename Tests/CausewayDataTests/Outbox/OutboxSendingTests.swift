import CausewayData
import Testing

@testable import CausewayBasics
@testable import CausewaySync

@Suite struct OutboxSendingTests {
  private struct Refused: Error {}

  @Test(arguments: [false, true])
  func `the failure of a request counts only in the session of the request`(
    endsSession: Bool
  ) async {
    let current = CurrentEpoch()
    let ticket = SessionTicket(account: "ada", epoch: current.advance().number, current: current)
    let route = OutboxRoute(send: { _ in
      if endsSession { _ = current.advance() }
      throw Refused()
    })
    let sending = OutboxSending(
      entries: [], ticket: ticket, contact: ServerContact {}, route: route, attempt: Attempt(),
      timeout: nil, surroundings: Surroundings())
    let answer = await sending.perform()
    #expect((answer == nil) == endsSession)
  }
}
