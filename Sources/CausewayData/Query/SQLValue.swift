/// A value that a database stores or a statement binds.
public enum SQLValue: Sendable, Hashable {
  /// No value.
  case null
  /// A whole number.
  case integer(Int64)
  /// A number with a fraction, in double precision.
  case real(Double)
  /// Unicode text.
  case text(String)
  /// Bytes, as they are.
  case blob([UInt8])
}
