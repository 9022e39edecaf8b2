package import CausewayDatabase

/// The settings of an ``SQLiteService``.
public struct SQLiteConfiguration: Sendable {
  /// The point at which a commit counts as done.
  public enum Synchronous: String, Sendable {
    /// A write returns after its commit is on the disk; a power failure does not undo it.
    case full = "FULL"
    /// A power failure may undo the last commits, but does not damage the file.
    ///
    /// A crash of the program loses nothing.
    case normal = "NORMAL"
  }

  /// How the service uses its file.
  public enum Access: Sendable {
    /// It reads and writes, and creates a missing file.
    case readWrite
    /// It only reads. Other services and programs may write.
    case readOnly
    /// It only reads, without locks and without files beside it.
    ///
    /// Use it for a database in the bundle of an app or on a read-only volume. While the service is
    /// open, no program may change the file.
    case immutable
  }

  /// How the service uses its file.
  ///
  /// With an access that only reads, writes throw errors of kind `readOnly`, the migrations must
  /// have been applied, and a damaged file stays where it is.
  public var access = Access.readWrite

  /// The point at which a commit counts as done.
  ///
  /// Use `full` unless the file is a cache.
  public var synchronous = Synchronous.full

  /// The time to wait for a lock of another process before the error `busy` is thrown.
  public var busyTimeout = Duration.seconds(5)

  /// The largest number of concurrent reads.
  public var readers = 4

  /// The interval at which live queries check for commits of other processes; `nil` for never.
  public var foreignCommitInterval: Duration? = .milliseconds(250)

  /// The shortest pause between two runs of a live query.
  ///
  /// The commits during the pause share the next run. Without the pause, a query whose table
  /// changes all the time would run all the time, and slow down the writes. Queries that take long,
  /// or that are many, pause for up to 20 ms. A screen shows about one version in this time.
  public var liveQueryPause = Duration.milliseconds(1)

  /// The number of steps of SQLite's virtual machine from which a live query is followed.
  ///
  /// A run of a query with fewer steps takes less than about 0.1 ms, so following the query would
  /// not be faster. The run also needs no check for commits of other programs.
  package var shortestFollowed = 5_000

  /// The number of pages in the write-ahead log at which the log is copied into the main file.
  ///
  /// At four times this number, new reads wait for up to a tenth of a second. During this pause
  /// the log can be emptied.
  public var checkpointPages = 1_000

  /// Whether the service sets a damaged file aside and creates an empty one, for a cache.
  ///
  /// The operation that detects the damage throws. Later operations use the new file, and live queries
  /// continue with the rows of the new file. Otherwise the service throws the error and keeps the file
  /// unchanged, for rows that exist nowhere else.
  public var startsAnewWhenDamaged: Bool

  /// Called when damage is detected, whatever `startsAnewWhenDamaged` says.
  ///
  /// It runs on no particular isolation.
  public var onDamage: (@Sendable (SQLiteDamageReport) -> Void)?

  /// The name of SQLite's operating-system layer.
  package var vfs: String?

  /// The simulation that replaces the operating system and the threads; `nil` in an app.
  package var host: (any DatabaseHost)?

  /// The threads for long operations, for statements of the main actor, and for statements while
  /// many others run.
  ///
  /// Other statements run on the executor of the calling task. If this is `nil`, all statements run
  /// there. A ``host`` has its own executor.
  package var threads: BlockingThreads? = .sqlite
  /// The threads, without a host.
  var ownThreads: BlockingThreads? { host == nil ? threads : nil }

  /// The number of pages in the log at which new reads wait until the log is empty.
  var longestLog: Int { checkpointPages * 4 }

  /// Makes a configuration: use `full` for rows that must not be lost, and `normal` for a cache.
  public init(synchronous: Synchronous = .full) {
    self.synchronous = synchronous
    startsAnewWhenDamaged = synchronous != .full
  }
}
