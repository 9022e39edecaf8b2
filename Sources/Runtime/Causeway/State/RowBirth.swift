/// Distinguishes a screen from an earlier screen with the same id.
///
/// Rows have no birth, because handlers move a row by removing and inserting it.
@usableFromInline
struct RowBirth: Sendable {
  /// The number of the path that the screen entered; a copy of a path has the same number.
  let lineage: UInt64
  /// The number of the screen.
  let number: UInt64

  /// Whether both belong to one screen, if the ids are equal.
  ///
  /// In a newly assigned path, a screen with the same id is the same screen.
  @usableFromInline
  func isSame(as other: RowBirth) -> Bool {
    lineage != other.lineage || number == other.number
  }
}
