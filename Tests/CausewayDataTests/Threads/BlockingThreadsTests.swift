import CausewayData
import Testing

@Suite(.timeLimit(.minutes(5))) struct BlockingThreadsTests {
  @Test func `Jobs that follow each other need no more threads than there are tasks`() async {
    let threads = BlockingThreads(name: "test")
    let tasks = 4
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask(executorPreference: threads) {
          for _ in 0..<5_000 { await Task.yield() }
        }
      }
    }
    // A thread needs some time until it takes a job. If such threads were not counted, every job in
    // that time would create another thread.
    #expect(threads.count <= tasks * 4)
  }
}
