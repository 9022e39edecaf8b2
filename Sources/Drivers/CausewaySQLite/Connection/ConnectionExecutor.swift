import CausewayDatabase

extension BlockingThreads {
  /// The threads of all services of the process.
  static let sqlite = BlockingThreads(name: "causeway.sqlite")
}

/// The place where a connection's actor runs.
enum ConnectionExecutor: Sendable {
  /// An actor without its own executor, which runs on the executor of the calling task.
  case callers(CallersActor)
  case simulation(any SerialExecutor)

  actor CallersActor {}

  /// Makes an executor for one actor.
  ///
  /// - Parameter host: A simulation; its executor is used instead of the caller's.
  init(host: (any DatabaseHost)?) {
    self = host.map { .simulation($0.executor) } ?? .callers(CallersActor())
  }

  var unowned: UnownedSerialExecutor {
    switch self {
    case .callers(let actor): actor.unownedExecutor
    case .simulation(let executor): executor.asUnownedSerialExecutor()
    }
  }
}
