import Causeway
import CausewayTesting
import Foundation
import TestSupport
import Testing

@MainActor struct IsolationTests {
  @Test func `the search for races finds marks lost by a whole state`() async {
    let double: @Sendable (Int) async -> Int = { number in
      await suspensionPoint()
      return number
    }
    let wrong = await exploreInterleavings(
      of: Tally(fetch: double), script: [.mark(1), .mark(2)],
      options: ExplorationOptions(reporter: FailureReporter { _, _ in })
    ) { #expect($0.marks.count == 2) }
    #expect(wrong.hasFailed)
    await exploreInterleavings(
      of: Tally(fetch: double), script: [.markAtomically(1), .markAtomically(2)]
    ) { #expect($0.marks.count == 2) }
  }

  @Test func `a task in main-actor code runs on the main actor`() async {
    // snippet
    await Task {
      MainActor.assertIsolated()  // the main actor, like the code around it
    }.value
    #expect(await here() === MainActor.shared)
    #expect(await elsewhere() == nil)
    // end
  }

  @Test func `C can call a nonisolated function`() {
    let mailbox = Mailbox()
    pthread_join(startThread(mailbox), nil)
    #expect(mailbox.isFilled)
  }

  @Test func `a watch is released although its task follows a stream`() async {
    let isEnded = Gate()
    let (events, continuation) = AsyncStream.makeStream(of: Int.self)
    continuation.onTermination = { _ in isEnded.open() }
    var watch: Watch? = Watch()
    watch?.follow(events)
    continuation.yield(1)
    watch = nil
    await isEnded.wait()
  }
}
