extension SQLiteService {
  /// The settings of a service.
  public struct Configuration: Sendable {
    /// How a commit reaches the disk.
    public enum Synchronous: String, Sendable {
      /// A commit has reached the disk when the write returns, and survives a power failure.
      case full = "FULL"
      /// A power failure may undo the last commits, but does not damage the file.
      ///
      /// A crash of the program loses nothing.
      case normal = "NORMAL"
    }

    /// How a commit reaches the disk.
    ///
    /// Use `full` unless the file is a cache.
    public var synchronous = Synchronous.full

    /// How long to wait for a lock of another process before the error `busy` is thrown.
    public var busyTimeout = Duration.seconds(5)

    /// The largest number of concurrent reads.
    public var readers = 4

    /// The interval at which live queries check for commits of other processes; `nil` for never.
    public var foreignCommitInterval: Duration? = .milliseconds(250)

    /// The number of pages in the write-ahead log at which they are copied into the main file.
    ///
    /// At four times this number, new reads wait for up to a tenth of a second, so the log can be
    /// emptied.
    public var checkpointPages = 1_000

    /// The response to a damaged file.
    ///
    /// Use `fail` unless the file is a cache.
    public var whenDamaged: DamageResponse

    /// Called when damage is detected, whatever the response is.
    ///
    /// It runs on no particular isolation.
    public var onDamage: (@Sendable (DamageReport) -> Void)?

    /// The key of an encrypted file; `nil` for a file that is not encrypted.
    ///
    /// A cache with a wrong key counts as damaged and starts anew.
    public var encryptionKey: EncryptionKey?

    /// The name of SQLite's operating-system layer.
    package var vfs: String?

    /// The executor of statements; `nil` for the executor of the calling task.
    ///
    /// A simulation sets it to `nil` and runs its tasks on an executor of its own, so that it decides
    /// the order of all transactions.
    package var threads: DatabaseThreads? = DatabaseThreads.shared

    /// The number of pages in the log at which new reads wait for it to be emptied.
    var longestLog: Int { checkpointPages * 4 }

    /// Makes a configuration: for rows that must not be lost with `full`, for a cache with
    /// `normal`.
    public init(synchronous: Synchronous = .full) {
      self.synchronous = synchronous
      whenDamaged = synchronous == .full ? .fail : .startAnew
    }
  }
}
