/// The tasks of a trial that have not ended.
///
/// Isolation: only the thread of the trial may use it.
struct UnfinishedTasks {
  private struct Entry {
    let number: Int
    let name: String?
    /// The number of the task that has made this one; 0 for the test itself.
    let creator: Int
    let memory: TaskMemory
    /// Keeps the memory; `nil` for the task of an `async let`, whose memory its parent keeps.
    let owner: Task<Void, Never>?
  }

  /// The entries, in the order of the tasks' first jobs.
  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  /// The numbers of the tasks that the test has made; the test itself is the first task.
  var cancellable: [Int] { entries.filter { $0.creator == 1 }.map(\.number) }

  /// Returns the task with a number; `nil` if it has ended.
  subscript(number: Int) -> Task<Void, Never>? {
    entries.first { $0.number == number && !$0.memory.hasEnded }?.memory.task
  }

  /// Returns the name that the program has given to a task with a number.
  func name(of number: Int) -> String? { entries.first { $0.number == number }?.name }

  /// The tasks and their numbers.
  var all: [(number: Int, task: Task<Void, Never>)] {
    entries.filter { !$0.memory.hasEnded }.map { ($0.number, $0.memory.task) }
  }

  /// Adds the task of a job; the current thread makes this task now.
  ///
  /// The result of the task can have any type. It is never read.
  mutating func add(_ job: UnownedJob, number: Int, creator: Int) {
    guard TaskMemory.isKnown else { return }
    let memory = TaskMemory(job)
    entries.append(
      Entry(
        number: number, name: SimulatedSystem.nameOfNewTask, creator: creator, memory: memory,
        owner: memory.isInParent ? nil : memory.task))
  }

  /// Removes the tasks that have ended, and returns those whose last reference may be in this list.
  mutating func takeEnded() -> [Task<Void, Never>] {
    guard entries.contains(where: \.memory.hasEnded) else { return [] }
    let ended = entries.filter(\.memory.hasEnded)
    entries.removeAll(where: \.memory.hasEnded)
    return ended.compactMap(\.owner)
  }
}
