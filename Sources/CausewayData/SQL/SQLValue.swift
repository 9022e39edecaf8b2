/// A value that a database stores or a statement binds.
public enum SQLValue: Sendable, Hashable {
  /// No value.
  case null
  /// A whole number.
  case integer(Int64)
  /// A floating-point number in double precision.
  case real(Double)
  /// Unicode text.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}

extension SQLValue {
  func hasSameBytes(as other: SQLValue) -> Bool {
    switch (self, other) {
    case (.text(let text), .text(let other)): text.utf8.elementsEqual(other.utf8)
    case (.real(let real), .real(let other)): real.bitPattern == other.bitPattern
    default: self == other
    }
  }
}
