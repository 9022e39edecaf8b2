#if canImport(CryptoKit)
  import CryptoKit
  import Foundation
#else
  import CCrypt
#endif

/// A stable identifier of a browser that does not grant access to its sessions.
///
/// The cookie is a secret that grants access. Its SHA-256 hash can be stored and logged. The cookie
/// has 128 random bits, which cannot be guessed from the hash. So the hash needs neither its own
/// salt nor many rounds.
enum BrowserIdentity {
  /// The identity that belongs to a cookie's value.
  ///
  /// It takes about half a millisecond with the system's crypt. Do not call it on the main actor.
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
      // A failed call returns `nil` or a text that is not a hash.
      guard text.hasPrefix(setting) else { throw Unavailable() }
      return String(text.dropFirst(setting.utf8.count))
    #endif
  }

  /// A salt that makes identities differ from other hashes of the same text; at most 16 characters.
  private static let purpose = "causeway.browser"

  /// The system was built without SHA-256.
  struct Unavailable: Error, CustomStringConvertible {
    var description: String { "The system's crypt does not know SHA-256 ($5$)." }
  }
}

/// Unguessable names: 128 bits of the system's random source as 32 hexadecimal digits.
enum SessionToken {
  static func make() -> String {
    // Its documentation promises that it is cryptographically secure where the platform allows it.
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
