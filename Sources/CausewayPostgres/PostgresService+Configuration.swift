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
      /// Two transactions can each read what the other one writes. The service runs a rejected
      /// transaction again.
      case repeatableRead = "REPEATABLE READ"
      /// Each statement sees the latest committed rows.
      case readCommitted = "READ COMMITTED"
    }

    /// How strictly the server separates write transactions.
    public var isolation = Isolation.serializable

    /// The largest number of connections for transactions.
    ///
    /// Live queries need one more.
    public var connections = 8

    /// The time to wait for a lock, and to run a rejected transaction again, before the error
    /// `busy` is thrown.
    public var busyTimeout = Duration.seconds(10)

    /// The time to wait for a server that accepts connections, before the error `unavailable` is
    /// thrown.
    public var reconnectTimeout = Duration.seconds(30)

    /// Whether live queries see changes by other processes.
    ///
    /// If it is true, the service creates a change log and adds a trigger to each table of its
    /// schema. If it is false, each own commit runs all live queries again.
    public var observesOtherProcesses = true

    /// The interval at which live queries look for changes of other processes without a hint.
    public var pollInterval = Duration.seconds(1)

    /// The shortest time between two hints to other processes.
    public var hintInterval = Duration.milliseconds(20)

    /// The time for which the change log keeps entries.
    ///
    /// A process that does not read for half of it runs all its live queries again.
    public var changeRetention = Duration.seconds(120)

    /// Makes a configuration with the default values.
    public init() {}
  }
}
