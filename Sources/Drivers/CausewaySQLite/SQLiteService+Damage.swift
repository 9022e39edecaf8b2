public import CausewayDatabase

extension SQLiteService {
  /// The problem of the file now; `nil` if none is known.
  ///
  /// It is of kind `fileReplaced` if the file, its log or the log's index was removed, moved or
  /// replaced. Writes throw the same error until the files are back. A cache instead creates a new
  /// file at the next write. Any other error means that the file is damaged, and was left
  /// unchanged.
  ///
  /// Complexity: three file system calls.
  public var fileProblem: PersistenceError? {
    writer.noteLocation()
    return file.condition.problem
  }

  /// Yields the last known problem of the file, and then its changes.
  ///
  /// A slow consumer gets only the latest problem.
  ///
  /// At each write and when ``fileProblem`` is read, the service checks whether the file was
  /// replaced. While live queries exist, it also checks at every
  /// ``SQLiteConfiguration/foreignCommitInterval``. Damage is detected when a damaged part is read.
  public func fileProblems() -> AsyncStream<PersistenceError?> { file.condition.stream() }

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
