/// Distinguishes the values of an array of rows.
@usableFromInline
struct RowsStamp {
  /// Two arrays with the same number are the same.
  let version: UInt64
  /// Two arrays with the same number have the same ids.
  let membership: UInt64

  @usableFromInline
  init(version: UInt64, membership: UInt64) {
    self.version = version
    self.membership = membership
  }
}
