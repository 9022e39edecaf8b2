import CausewayData
import Testing

@testable import CausewayHTTP

@Suite struct EventReconnectionTests {
  private let policy = NetworkRetryPolicy(
    attempts: 4, firstDelay: .seconds(1), longestDelay: .seconds(3),
    longestRetryAfter: .seconds(60))
  private let stream = NetworkResponse(
    status: 200, headers: ["content-type": "Text/Event-Stream; charset=utf-8"])

  private func status(_ status: Int, retryAfter: Duration? = nil) -> NetworkError {
    NetworkError(.status, message: "", status: status, retryAfter: retryAfter)
  }

  @Test func `an event stream is read`() {
    var machine = EventReconnection(policy)
    #expect(machine.opened(stream, failure: nil, sentToken: false, random: 0) == .read)
  }

  @Test func `204 ends the stream permanently`() {
    var machine = EventReconnection(policy)
    #expect(
      machine.opened(NetworkResponse(status: 204), failure: nil, sentToken: false, random: 0)
        == .finish)
  }

  @Test(arguments: ["text/html", "application/json", ""])
  func `another media type throws an error and is not retried`(_ type: String) {
    var machine = EventReconnection(policy)
    let response = NetworkResponse(status: 200, headers: ["content-type": type])
    guard
      case .fail(let error) = machine.opened(response, failure: nil, sentToken: false, random: 0)
    else {
      Issue.record("went on")
      return
    }
    #expect(error.kind == .contentType)
  }

  @Test
  func `consecutive failures wait longer each time and end at the maximum number of attempts`() {
    var machine = EventReconnection(policy)
    let lost = NetworkError(.connectionLost, message: "lost")
    #expect(machine.closed(lost, random: 0) == .wait(.milliseconds(500)))
    #expect(machine.closed(lost, random: 0.999) < .wait(.seconds(2)))
    #expect(machine.closed(nil, random: 0) == .wait(.milliseconds(1500)))
    var last = lost
    last.attempts = 4
    #expect(machine.closed(lost, random: 0) == .fail(last))
  }

  @Test func `a stream that an engine follows ends at a loss and reports the server's pause`() {
    var machine = EventReconnection(policy, isAllowed: false)
    machine.setReconnectionTime(.seconds(7))
    _ = machine.opened(stream, failure: nil, sentToken: false, random: 0)
    guard case .fail(let error) = machine.closed(nil, random: 0) else {
      Issue.record("connected again without a word")
      return
    }
    #expect(error.kind == .connectionLost)
    #expect(error.retryAfter == .seconds(7))
  }

  @Test func `only an event resets the failure count, not an open connection`() {
    var machine = EventReconnection(policy)
    for _ in 0..<3 {
      _ = machine.opened(stream, failure: nil, sentToken: false, random: 0)
      guard case .wait = machine.closed(nil, random: 0) else {
        Issue.record("gave up early")
        return
      }
    }
    machine.received()
    #expect(machine.closed(nil, random: 0) == .wait(.milliseconds(500)))
  }

  @Test func `the server's reconnection time replaces the first delay, within limits`() {
    var machine = EventReconnection(policy)
    machine.setReconnectionTime(.seconds(10))
    #expect(machine.closed(nil, random: 0) == .wait(.seconds(5)))
    machine.received()
    machine.setReconnectionTime(.zero)
    #expect(machine.closed(nil, random: 0) == .wait(.milliseconds(25)))
    machine.received()
    machine.setReconnectionTime(.seconds(86400))
    #expect(machine.closed(nil, random: 0) == .wait(.seconds(30)))
  }

  @Test func `a rejected token is refreshed once for each working connection`() {
    var machine = EventReconnection(policy)
    let refused = NetworkResponse(status: 401)
    func open() -> EventReconnection.Step {
      machine.opened(refused, failure: status(401), sentToken: true, random: 0)
    }
    #expect(open() == .refresh)
    guard case .fail = open() else {
      Issue.record("refreshed for ever")
      return
    }
    _ = machine.opened(stream, failure: nil, sentToken: true, random: 0)
    #expect(open() == .refresh)
  }

  @Test func `a busy server is retried after its Retry-After, and a rejection ends the stream`() {
    var machine = EventReconnection(policy)
    #expect(
      machine.opened(
        NetworkResponse(status: 503), failure: status(503, retryAfter: .seconds(20)),
        sentToken: false, random: 0) == .wait(.seconds(20)))
    guard
      case .fail(let error) = machine.opened(
        NetworkResponse(status: 403), failure: status(403), sentToken: false, random: 0)
    else {
      Issue.record("went on")
      return
    }
    #expect(error.status == 403)
  }
}

extension EventReconnection.Step {
  fileprivate static func < (left: Self, right: Self) -> Bool {
    if case .wait(let left) = left, case .wait(let right) = right { left < right } else { false }
  }
}
