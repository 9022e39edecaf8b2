/// A position in the write-ahead log of a PostgreSQL server.
///
/// Users have it as a text.
package struct LogPosition: Sendable, Hashable, Comparable, LosslessStringConvertible {
  private let offset: UInt64

  /// Parses a position in the form of the server, such as `16/B374D848`.
  ///
  /// Returns `nil` for any other text, so texts from clients can be passed.
  package init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let high = Self.digits(parts[0]), let low = Self.digits(parts[1])
    else { return nil }
    offset = UInt64(high) << 32 | UInt64(low)
  }

  /// The form of the server.
  package var description: String {
    let (high, low) = (offset >> 32, offset & 0xFFFF_FFFF)
    return "\(String(high, radix: 16, uppercase: true))/\(String(low, radix: 16, uppercase: true))"
  }

  /// Whether the first position comes before the second.
  package static func < (left: LogPosition, right: LogPosition) -> Bool {
    left.offset < right.offset
  }

  private static func digits(_ text: Substring) -> UInt32? {
    guard text.first?.isHexDigit == true else { return nil }
    return UInt32(text, radix: 16)
  }

  /// Returns how far a server has written its log, or how far a replica has replayed it.
  static let current = """
    SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
      ELSE pg_current_wal_insert_lsn() END::text
    """
}
