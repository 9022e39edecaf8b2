public import CausewayDatabase

extension SQLiteService {
  /// The state of the file now.
  ///
  /// Complexity: three file system calls.
  public var fileStatus: SQLiteFileStatus {
    writer.noteLocation()
    return file.condition.status
  }

  /// Yields the last known state of the file, and then its changes.
  ///
  /// A slow consumer gets only the latest state.
  ///
  /// The service checks whether the file was replaced, at each write and when ``fileStatus`` is
  /// read.
  /// While live queries exist, it also checks at every ``SQLiteConfiguration/foreignCommitInterval``.
  /// Damage is detected when a damaged part is read.
  public func fileStatuses() -> AsyncStream<SQLiteFileStatus> { file.condition.stream() }

  /// Renames a damaged file and its log, so a service can create a new file at the same path.
  ///
  /// If a file has rows that exist nowhere else, the service does not call this function by itself.
  /// Close the service, inform the user, call this function, keep the renamed file for a repair,
  /// and open the service again. The three newest damaged files are kept until ``eraseDeleted()``
  /// removes them.
  ///
  /// - Returns: The new path of the file; `nil` if there is none.
  /// - Throws: `PersistenceError` if the files cannot be renamed.
  public static func setAside(path: String) throws(PersistenceError) -> String? {
    let file = StoreFile(path: path)
    guard let identity = file.identity else { return nil }
    return try file.setAside(identity)
  }
}
