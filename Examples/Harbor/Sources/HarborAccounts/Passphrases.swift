public import CausewayWeb
import Foundation
import Synchronization

#if canImport(CommonCrypto)
  import CommonCrypto
#else
  import CCrypt
#endif

/// Makes and checks the hashes of passphrases.
///
/// On Linux, the system's crypt makes them with yescrypt, which needs several megabytes and about 50
/// milliseconds on purpose. Apple systems have no yescrypt. There, CommonCrypto makes them with
/// PBKDF2, HMAC-SHA-256 and 600,000 rounds. The two kinds of hashes cannot be converted, so a
/// database with accounts cannot move from one kind of system to the other.
///
/// The actor makes one hash at a time, so many sign-ins cannot exhaust the machine. Further
/// sign-ins wait, up to a limit. The limit counts all networks together, because an attacker can
/// have thousands of addresses.
public actor Passphrases {
  private let random: Secret.Source
  private let cost: UInt
  private let longestQueue: Int
  private let queued = Atomic(0)

  /// Makes the actor.
  ///
  /// - Parameters:
  ///   - random: Returns the bits of salts.
  ///   - cost: The time that a hash needs, from 1 to 11; 0 for the system's default. Apple's
  ///     function has a fixed cost.
  ///   - longestQueue: The largest number of hashes that are made or wait.
  public init(
    random: @escaping Secret.Source = Secret.system, cost: UInt = 0, longestQueue: Int = 100
  ) {
    (self.random, self.cost, self.longestQueue) = (random, cost, longestQueue)
  }

  /// Runs work on the actor, unless too many callers wait.
  private nonisolated func queueing<Value: Sendable>(
    _ work: () async throws -> Value
  ) async throws -> Value {
    defer { queued.subtract(1, ordering: .relaxed) }
    guard queued.add(1, ordering: .relaxed).newValue <= longestQueue else {
      throw Problem(
        .serviceUnavailable, code: "too-many-attempts",
        detail: "Many people are signing in at the moment. Try again in a few seconds.",
        headers: ["Retry-After": "5"])
    }
    return try await work()
  }

  /// The hash of a passphrase, with its salt.
  ///
  /// - Throws: ``Secret/Unavailable``; a `Problem` with status 503 if too many callers wait.
  public nonisolated func hash(_ passphrase: String) async throws -> String {
    try await queueing { try await make(passphrase, setting: nil) }
  }

  private func make(_ passphrase: String, setting: String?) throws -> String {
    try Self.make(Self.normalized(passphrase), setting: setting ?? self.setting())
  }

  /// Whether a hash belongs to a passphrase.
  ///
  /// - Parameters:
  ///   - passphrase: The typed passphrase.
  ///   - hash: The stored hash, or `nil` if there is no such account. Both cases take the
  ///     same time, so the time does not reveal which accounts exist.
  /// - Throws: As ``hash(_:)``.
  public nonisolated func matches(_ passphrase: String, _ hash: String?) async throws -> Bool {
    let made = try await queueing { try await make(passphrase, setting: hash) }
    return hash.map { Secret.areEqual(made, $0) } ?? false
  }

  /// Refuses a passphrase that the system's function cannot hash, or that has another length.
  ///
  /// - Parameters:
  ///   - passphrase: The passphrase as somebody typed it.
  ///   - shortest: The smallest number of characters, for a new passphrase.
  ///   - longest: The largest number of bytes.
  /// - Throws: A `Problem` with a sentence for people.
  public static func check(
    _ passphrase: String, shortest: Int = 0, longest: Int
  ) throws(Problem) {
    // The system's hash function gets the normalized text as a C string, which can be longer.
    guard passphrase.utf8.count <= longest, normalized(passphrase).utf8.count < 512 else {
      throw .badRequest("The passphrase is longer than \(longest) bytes.")
    }
    guard !passphrase.utf8.contains(0) else {
      throw .badRequest("The passphrase contains a NUL character.")
    }
    guard passphrase.count >= shortest else {
      throw Problem(
        .unprocessableContent, code: "weak-passphrase",
        detail: "Choose a passphrase of at least \(shortest) characters.")
    }
  }

  /// Returns the same text for all encodings of an accent, because keyboards write different ones.
  public static func normalized(_ passphrase: String) -> String {
    passphrase.precomposedStringWithCompatibilityMapping
  }

  #if canImport(CommonCrypto)
    private func setting() throws -> String { "pbkdf2$\(Secret.make(random))$" }

    private static func make(_ passphrase: String, setting: String) throws -> String {
      let salt = Array(setting.split(separator: "$")[1].utf8)
      var key = [UInt8](repeating: 0, count: 32)
      let status = CCKeyDerivationPBKDF(
        CCPBKDFAlgorithm(kCCPBKDF2), passphrase, passphrase.utf8.count, salt, salt.count,
        CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), 600_000, &key, key.count)
      guard status == kCCSuccess else { throw Secret.Unavailable() }
      return "pbkdf2$\(setting.split(separator: "$")[1])$" + Data(key).base64EncodedString()
    }
  #else
    private func setting() throws -> String {
      let bits = (0..<16).map { _ in CChar(truncatingIfNeeded: random()) }
      let setting = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 192) { setting in
        crypt_gensalt_rn(
          "$y$", cost, bits, Int32(bits.count), setting.baseAddress, Int32(setting.count)
        ).map { String(cString: $0) }
      }
      guard let setting else { throw Secret.Unavailable() }
      return setting
    }

    private static func make(_ passphrase: String, setting: String) throws -> String {
      try Secret.crypt(passphrase, setting)
    }
  #endif
}
