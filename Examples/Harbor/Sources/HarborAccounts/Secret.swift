import Synchronization

#if canImport(CryptoKit)
  import CryptoKit
  import Foundation
#else
  import CCrypt
#endif

/// Random texts that grant access, and their hashes.
///
/// The database stores only the hashes, so a copy of it contains no text that grants access.
public enum Secret {
  /// Returns 64 random bits.
  public typealias Source = @Sendable () -> UInt64

  /// The system's generator, which is cryptographically secure on the supported platforms.
  public static let system: Source = {
    var source = SystemRandomNumberGenerator()
    return source.next()
  }

  /// The number of characters of a text of ``make(_:)``.
  public static let length = 64

  /// A text with 256 random bits.
  public static func make(_ source: Source) -> String {
    let parts = (0..<4).map { _ in String(source(), radix: 16) }
    return parts.map { String(repeating: "0", count: 16 - $0.utf8.count) + $0 }.joined()
  }

  /// A random id, in the form of a UUID of version 4 (RFC 9562).
  public static func makeID(_ source: Source) -> String {
    var digits = Array(make(source).prefix(32))
    (digits[12], digits[16]) = ("4", "a")
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      .joined(separator: "-")
  }

  /// Whether a text has the form of one of ``make(_:)``.
  static func hasForm(_ text: String) -> Bool {
    text.utf8.count == length
      && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  /// Whether two texts have the same bytes.
  ///
  /// It compares all bytes, so the duration does not reveal how many bytes are right.
  static func areEqual(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count
      && zip(left.utf8, right.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The hash of a random text.
  ///
  /// The text cannot be guessed, so the hash needs neither a salt of its own nor many rounds.
  /// Complexity: about half a millisecond, or a lookup for one of the last 4,000 texts.
  public static func hash(_ text: String) throws -> String {
    try hash(text, isRemembered: true)
  }

  /// The hash of a random text.
  ///
  /// Pass false for a text that is rarely read or may be wrong.
  static func hash(_ text: String, isRemembered: Bool) throws -> String {
    if let known = known.withLock({ $0[text] }) { return known }
    let hash = try make(hashOf: text)
    guard isRemembered else { return hash }
    known.withLock { known in
      if known.count >= 4_000 { known = [:] }
      known[text] = hash
    }
    return hash
  }

  private static let known = Mutex<[String: String]>([:])

  private static func make(hashOf text: String) throws -> String {
    #if canImport(CryptoKit)
      SHA256.hash(data: Data(text.utf8)).map { String($0, radix: 16) }.joined(separator: "-")
    #else
      try crypt(text, "$5$rounds=1000$harbor.token$")
    #endif
  }

  #if !canImport(CryptoKit)
    /// The hash of a text by the system's crypt.
    static func crypt(_ text: String, _ setting: String) throws -> String {
      let hash = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { hash in
        harbor_crypt(text, setting, hash.baseAddress, hash.count)
        return hash.baseAddress.map { String(cString: $0) } ?? ""
      }
      // After a failure, crypt returns an empty text, or one that begins with an asterisk.
      guard hash.hasPrefix("$") else { throw Unavailable() }
      return hash
    }
  #endif

  /// The system cannot make hashes.
  public struct Unavailable: Error, CustomStringConvertible {
    /// The problem as a sentence.
    public var description: String { "The system's crypt does not support this kind of hash." }
  }
}
