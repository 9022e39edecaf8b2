#if canImport(CryptoKit)
  import CryptoKit
  import Foundation
#else
  import CGnuTLS
#endif

/// SHA-256 of the system, as hexadecimal digits.
enum SHA256Code {
  /// The hash of a text.
  static func hash(of text: String) throws -> String {
    #if canImport(CryptoKit)
      digits(SHA256.hash(data: Data(text.utf8)))
    #else
      try digits(of: text) { bytes, digest in
        gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes.baseAddress, bytes.count, digest)
      }
    #endif
  }

  /// The authentication code of a text, which only the owner of the key can make: HMAC (RFC 2104).
  static func authentication(of text: String, key: String) throws -> String {
    #if canImport(CryptoKit)
      digits(
        HMAC<SHA256>.authenticationCode(
          for: Data(text.utf8), using: SymmetricKey(data: Data(key.utf8))))
    #else
      let key = Array(key.utf8)
      return try digits(of: text) { bytes, digest in
        gnutls_hmac_fast(
          GNUTLS_MAC_SHA256, key, key.count, bytes.baseAddress, bytes.count, digest)
      }
    #endif
  }

  #if !canImport(CryptoKit)
    private static func digits(
      of text: String, _ function: (UnsafeRawBufferPointer, UnsafeMutableRawPointer) -> Int32
    ) throws -> String {
      var digest = [UInt8](repeating: 0, count: 32)
      let code = Array(text.utf8).withUnsafeBytes { bytes in
        digest.withUnsafeMutableBytes { digest in
          digest.baseAddress.map { function(bytes, $0) } ?? -1
        }
      }
      guard code == 0 else { throw Unavailable() }
      return digits(digest)
    }
  #endif

  private static func digits(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The system's library refuses to compute SHA-256.
  struct Unavailable: Error, CustomStringConvertible {
    var description: String { "The system's library GnuTLS does not compute SHA-256." }
  }
}
