/// Reads the changes of an array of rows.
@usableFromInline
struct RowsReader: Sendable {
  /// Returns the version of the array; `nil` while there is no array.
  let version: @MainActor () -> UInt64?
  /// Calls a closure with the id of each row that was changed or appended since a version.
  ///
  /// Returns false without calling the closure if the changes are not known.
  let forEachChange: @MainActor (_ since: UInt64, (ChildID) -> Void) -> Bool

  @usableFromInline
  init(
    version: @escaping @MainActor () -> UInt64?,
    forEachChange: @escaping @MainActor (_ since: UInt64, (ChildID) -> Void) -> Bool
  ) {
    self.version = version
    self.forEachChange = forEachChange
  }
}
