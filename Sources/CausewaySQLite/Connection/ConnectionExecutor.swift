import CausewayData

extension BlockingThreads {
  /// The threads of all services of the process.
  static let sqlite = BlockingThreads(name: "causeway.sqlite")
}

/// The place where a connection's actor runs.
enum ConnectionExecutor: Sendable {
  case threads(ThreadLane)
  /// An actor without its own executor, which runs on the executor of the calling task.
  case callers(CallersActor)
  case simulation(any SerialExecutor)

  actor CallersActor {}

  /// Makes an executor for one actor.
  ///
  /// - Parameters:
  ///   - threads: The threads to run on; `nil` for the executor of the calling task.
  ///   - host: A simulation, whose executor is used instead of `threads`.
  init(_ threads: BlockingThreads?, host: (any DatabaseHost)?) {
    self =
      host.map { .simulation($0.executor) } ?? threads.map { .threads(ThreadLane($0)) }
      ?? .callers(CallersActor())
  }

  var unowned: UnownedSerialExecutor {
    switch self {
    case .threads(let lane): lane.asUnownedSerialExecutor()
    case .callers(let actor): actor.unownedExecutor
    case .simulation(let executor): executor.asUnownedSerialExecutor()
    }
  }
}
