import CausewayBasics
import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10))) struct AnswerDeadlinesTests {
  typealias Wait = Waiter<AnswerDeadlines.End>

  @Test func `waits that are over are removed, even if an earlier wait is not over`() {
    let deadlines = AnswerDeadlines(.seconds(3_600))
    let open = (0..<100).map { _ in Wait() }
    for wait in open { deadlines.add(wait) }
    for _ in 0..<10_000 {
      let wait = Wait()
      deadlines.add(wait)
      wait.resume(returning: .ended)
    }
    #expect(deadlines.count <= 2 * open.count + 64)
    #expect(open.allSatisfy { !$0.isResumed })
  }

  @Test func `each wait ends when its time is over, also after a pause`() async {
    let deadlines = AnswerDeadlines(.milliseconds(1))
    for _ in 0..<3 {
      let waits = (0..<3).map { _ in Wait() }
      for wait in waits { deadlines.add(wait) }
      for wait in waits {
        #expect(await wait.value { $0.resume(returning: .interrupted) } == .late)
      }
    }
  }
}
