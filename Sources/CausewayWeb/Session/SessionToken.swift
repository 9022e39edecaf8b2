/// Unguessable names: 128 bits of the system's random source as 32 hexadecimal digits.
enum SessionToken {
  static func make() -> String {
    // Documented to be cryptographically secure on every platform with such a source.
    var source = SystemRandomNumberGenerator()
    return digits(source.next()) + digits(source.next())
  }

  static func isWellFormed(_ token: String) -> Bool {
    token.utf8.count == 32
      && token.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  private static func digits(_ value: UInt64) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }
}
