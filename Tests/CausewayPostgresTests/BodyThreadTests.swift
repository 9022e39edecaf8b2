import Testing

@testable import CausewayPostgres

@Suite(.timeLimit(.minutes(5))) struct BodyThreadTests {
  @Test func `Jobs that follow each other need no more threads than there are tasks`() async {
    let threads = BodyThreads()
    let tasks = 4
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask(executorPreference: threads) {
          for _ in 0..<5_000 { await Task.yield() }
        }
      }
    }
    // While a thread starts or looks for a job, others may run. Before they were counted, every job
    // of that time made another thread.
    #expect(threads.count <= tasks * 4)
  }
}
