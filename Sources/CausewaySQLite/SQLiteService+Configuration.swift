extension SQLiteService {
  /// How a service uses its file.
  public struct Configuration: Sendable {
    /// How a commit reaches the disk.
    public enum Synchronous: String, Sendable {
      /// A commit has reached the disk when the write returns, and survives a power failure.
      case full = "FULL"
      /// A power failure may undo the last commits, never damage the file. A crash of the program
      /// loses nothing.
      case normal = "NORMAL"
    }

    /// How a commit reaches the disk; `full` unless the file is a cache.
    public var synchronous = Synchronous.full

    /// How long to wait for a lock of another process before `busy` is thrown.
    public var busyTimeout = Duration.seconds(5)

    /// How many reads run beside each other at most.
    public var readers = 4

    /// How often live queries look for commits of other processes; `nil` for never.
    public var foreignCommitInterval: Duration? = .milliseconds(250)

    /// How many pages the write-ahead log may hold before they are copied into the main file.
    ///
    /// At four times as many, new reads wait for up to a tenth of a second, so that the log can be
    /// emptied.
    public var checkpointPages = 1_000

    /// What to do when the file turns out to be damaged; `fail` unless the file is a cache.
    public var whenDamaged: DamageResponse

    /// Called when damage is found, whatever is done about it; on no particular isolation.
    public var onDamage: (@Sendable (DamageReport) -> Void)?

    /// SQLite's name for the layer between it and the operating system.
    package var vfs: String?

    /// Where statements run, so that they do not block the threads of the concurrent executor; `nil`
    /// for the executor of the calling task.
    ///
    /// A simulation sets it to `nil` and runs its tasks on an executor of its own, so that it decides
    /// the order of all transactions.
    package var threads: DatabaseThreads? = DatabaseThreads.shared

    /// How many pages the log may have before new reads wait for it to be emptied.
    var longestLog: Int { checkpointPages * 4 }

    /// The defaults suit rows that must not be lost; those for `normal` suit a cache.
    public init(synchronous: Synchronous = .full) {
      self.synchronous = synchronous
      whenDamaged = synchronous == .full ? .fail : .startAnew
    }
  }
}
