extension PostgresService {
  /// The settings of a service.
  public struct Configuration: Sendable {
    /// How strictly the server separates write transactions that run at the same time.
    public enum Isolation: String, Sendable {
      /// Transactions have the effect of running one after another, as they do with SQLite.
      ///
      /// The server rejects some transactions for this; the service runs them again.
      case serializable = "SERIALIZABLE"
      /// A transaction sees a snapshot, and fails if another one has changed the same row.
      ///
      /// Two transactions can each read rows that the other one changes. The service runs a
      /// rejected transaction again.
      case repeatableRead = "REPEATABLE READ"
      /// Each statement sees the latest committed rows.
      case readCommitted = "READ COMMITTED"
    }

    /// How strictly the server separates write transactions.
    public var isolation = Isolation.serializable

    /// The largest number of connections for transactions.
    ///
    /// Live queries use one more connection.
    public var connections = 8

    /// How long the service waits for a lock or repeats a rejected transaction.
    ///
    /// After this time, it throws an error of kind `busy`.
    public var busyTimeout = Duration.seconds(10)

    /// How long the service waits for a server that accepts connections.
    ///
    /// After this time, it throws an error of kind `unavailable`.
    public var reconnectTimeout = Duration.seconds(30)

    /// How long a statement may run without an answer of the server; `nil` for no limit.
    ///
    /// In addition, it may wait for a lock for ``busyTimeout``. After this time, the service asks
    /// the server to stop the statement, and throws an error of kind `timedOut`. If the server does
    /// not react within five seconds, the service drops the connection, and throws an error of kind
    /// `unavailable`, or of kind `outcomeUnknown` during a commit. Migrations have no limit.
    public var statementTimeout: Duration? = .seconds(60)

    /// Whether live queries see changes by other processes.
    ///
    /// If it is true, the service creates a change log and adds a trigger to each table of its
    /// schema on which the role has the right `TRIGGER`. If it is false, each commit of this
    /// service runs all its live queries again.
    public var observesOtherProcesses = true

    /// The interval at which live queries look for changes of other processes without a hint.
    public var pollInterval = Duration.seconds(1)

    /// The shortest time between two hints to other processes.
    public var hintInterval = Duration.milliseconds(20)

    /// The shortest pause between two runs of a live query.
    ///
    /// The commits during the pause share the next run. Without the pause, a query whose table
    /// changes all the time would run all the time, and slow down the transactions that change it.
    public var liveQueryPause = Duration.milliseconds(10)

    /// The time for which the change log keeps entries.
    ///
    /// A process that does not read for half of this time runs all its live queries again.
    public var changeRetention = Duration.seconds(120)

    /// Makes a configuration with the default values.
    public init() {}
  }
}

extension PostgresService.Configuration {
  /// The settings of each connection.
  var sessionSettings: SessionSettings {
    let milliseconds = Int(exactly: (busyTimeout / .milliseconds(1)).rounded()) ?? 0
    return SessionSettings(
      patience: statementTimeout.map { $0 + busyTimeout },
      parameters: [
        ("DateStyle", "ISO"), ("IntervalStyle", "postgres"),
        ("bytea_output", "hex"), ("extra_float_digits", "1"), ("lock_timeout", "\(milliseconds)"),
        ("standard_conforming_strings", "on"),
      ])
  }
}
