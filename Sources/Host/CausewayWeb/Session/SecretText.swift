/// Texts that grant access.
extension String {
  /// Whether two texts have the same bytes.
  ///
  /// It compares all bytes, so the duration does not reveal how many bytes are right.
  package func isSameSecret(as other: some StringProtocol) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Whether the text has this many hexadecimal digits and nothing else.
  package func isHexadecimal(count: Int) -> Bool {
    utf8.count == count
      && utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

extension UInt64 {
  /// The number as 16 hexadecimal digits.
  package var hexadecimalDigits: String {
    let text = String(self, radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }
}
