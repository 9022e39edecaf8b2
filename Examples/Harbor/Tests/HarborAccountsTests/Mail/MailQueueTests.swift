import CausewayData
import HarborMail
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A queue of mails` {
  private func message(_ subject: String) throws -> MailMessage {
    MailMessage(to: try MailAddress("ana@example.org"), subject: subject, text: "")
  }

  @Test func `sends a mail again after temporary failures, and gives up a refused one`()
    async throws
  {
    let (tried, failed) = (Log<String>(), Log<String>())
    let queue = MailQueue(
      attempts: 3, backoff: Backoff(initial: .nanoseconds(1), cap: .nanoseconds(1)),
      report: { message, error in failed.append("\(message.subject): \(error)") }
    ) { message throws(MailError) in
      tried.append(message.subject)
      let count = tried.all.count { $0 == message.subject }
      switch message.subject {
      case "slow" where count < 3: throw .later(code: 451)
      case "never": throw .timedOut
      case "bad": throw .refused(code: 550)
      default: break
      }
    }
    let running = Task { await queue.run() }
    for subject in ["slow", "never", "bad"] { try queue.add(message(subject)) }
    await failed.wait(for: 2)
    await tried.wait(for: 7)
    running.cancel()
    await running.value
    #expect(tried.all.count { $0 == "slow" } == 3)
    #expect(tried.all.count { $0 == "never" } == 3 && tried.all.count { $0 == "bad" } == 1)
    #expect(
      failed.all.sorted() == [
        "bad: \(MailError.refused(code: 550))", "never: \(MailError.timedOut)",
      ])
  }

  @Test func `sends what it has when it is stopped`() async throws {
    let sent = Log<String>()
    let queue = MailQueue(report: { _, _ in }) { message throws(MailError) in
      sent.append(message.subject)
    }
    for subject in ["1", "2"] { try queue.add(message(subject)) }
    await queue.stop(Task { await queue.run() }, within: .seconds(300))
    #expect(sent.all.sorted() == ["1", "2"])
    #expect(throws: MailError.cancelled) { try queue.add(message("3")) }
  }

  @Test func `waits only for a limited time when it is stopped`() async throws {
    let tried = Log<String>()
    let queue = MailQueue(report: { _, _ in }) { message throws(MailError) in
      tried.append(message.subject)
      // No answer comes.
      do { try await Task.sleep(for: .seconds(86_400)) } catch { throw .cancelled }
    }
    let running = Task { await queue.run() }
    try queue.add(message("1"))
    await tried.wait(for: 1)
    await queue.stop(running, within: .zero)
    #expect(running.isCancelled && tried.all == ["1"])
  }

  @Test func `has a limit`() throws {
    let queue = MailQueue(limit: 2, report: { _, _ in }) { _ throws(MailError) in }
    try queue.add(message("1"))
    try queue.add(message("2"))
    #expect(throws: MailError.queueIsFull) { try queue.add(message("3")) }
  }
}
