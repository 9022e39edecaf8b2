#if canImport(CryptoKit)
  import CryptoKit
  import Foundation
#else
  import CCrypt
#endif

/// What an app may know about a browser: always the same for one, and of no use to get into it.
///
/// The cookie is a secret that lets its owner act. Its SHA-256 hash can be stored and logged: 128
/// random bits cannot be guessed from it, so it needs neither a salt of its own nor many rounds.
enum BrowserIdentity {
  /// The identity that belongs to a cookie's value.
  ///
  /// Takes about half a millisecond where the system's crypt does it; not for the main actor.
  static func of(_ cookie: String) throws -> String {
    #if canImport(CryptoKit)
      return SHA256.hash(data: Data((purpose + cookie).utf8)).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    #else
      let setting = "$5$rounds=1000$\(purpose)$"
      let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { hash in
        causeway_crypt(cookie, setting, hash.baseAddress, hash.count)
        return hash.baseAddress.map { String(cString: $0) } ?? ""
      }
      // After a failure the result is `nil` or not a hash.
      guard text.hasPrefix(setting) else { throw Unavailable() }
      return String(text.dropFirst(setting.utf8.count))
    #endif
  }

  /// Makes the identities differ from other hashes of the same text; at most 16 characters.
  private static let purpose = "causeway.browser"

  /// The system was built without SHA-256.
  struct Unavailable: Error, CustomStringConvertible {
    var description: String { "The system's crypt does not know SHA-256 ($5$)." }
  }
}

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
