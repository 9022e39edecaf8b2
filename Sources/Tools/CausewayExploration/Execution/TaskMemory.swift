import CausewaySystem

/// The runtime's object of a task, for values that no public function of the runtime returns.
struct TaskMemory {
  private let address: UnsafeRawPointer
  private let id: UInt32

  init(_ job: UnownedJob) {
    address = unsafeBitCast(job, to: UnsafeRawPointer.self)
    id = address.load(fromByteOffset: Self.idOffset, as: UInt32.self)
  }

  private static let flagsOffset = 32
  private static let idOffset = 36
  private static let statusOffset = 96
  private static let asyncLetFlag: UInt32 = 1 << 28
  private static let completeFlag: UInt32 = 0x2000

  /// Whether this runtime has the layout that this type reads; tested with a finished task.
  static let isKnown: Bool = {
    guard SwiftRuntime.isKnown else { return false }
    let jobs = HeldJobs()
    let task = Task(executorPreference: jobs) { @concurrent in }
    let memory = TaskMemory(unsafeBitCast(task, to: UnownedJob.self))
    let isNew = !memory.hasEnded && !memory.isInParent
    jobs.run()
    return withExtendedLifetime(task) { isNew && memory.hasEnded }
  }()

  /// Whether the object is in the memory of the parent, as the object of an `async let` is.
  ///
  /// The memory is used again soon after the end of the task.
  var isInParent: Bool {
    address.load(fromByteOffset: Self.flagsOffset, as: UInt32.self) & Self.asyncLetFlag != 0
  }

  var hasEnded: Bool {
    address.load(fromByteOffset: Self.idOffset, as: UInt32.self) != id
      || address.load(fromByteOffset: Self.statusOffset, as: UInt32.self) & Self.completeFlag != 0
  }

  /// The task; it may be used only if it has not ended, or while another value keeps it.
  var task: Task<Void, Never> { unsafeBitCast(address, to: Task<Void, Never>.self) }
}
