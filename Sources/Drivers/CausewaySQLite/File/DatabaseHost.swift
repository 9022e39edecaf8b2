package import CausewayBasics

/// The parts of a simulation that a service uses in place of the operating system.
package protocol DatabaseHost: Sendable {
  /// The file system that contains the database.
  var files: any FileSystem { get }
  /// The name of SQLite's operating-system layer.
  var vfs: String { get }
  /// The executor on which all statements run.
  var executor: any SerialExecutor { get }
  /// The time by which the waits for locks are measured.
  var now: ContinuousClock.Instant { get }
  /// Called with each connection after it was opened, on `executor` or in the opening task.
  func opened(_ connection: any DatabaseConnection)
}

/// A connection that a simulation can close.
package protocol DatabaseConnection: AnyObject {
  /// Closes the connection of a crashed process.
  ///
  /// The tasks of the process may still refer to the connection, but they never run again.
  func abandon()
}
