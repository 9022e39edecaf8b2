import CSQLite
import CausewayDatabase

/// The key of an encrypted file.
///
/// Encryption needs a build of SQLite that offers it, such as SQLCipher. With any other build, a
/// service with a key throws an error of kind `encryptionUnavailable` before it stores anything.
public struct EncryptionKey: Sendable, Hashable {
  /// The key as an SQL literal.
  private let literal: String

  /// Makes a key from random bytes, for example from the Keychain.
  ///
  /// - Parameter bytes: 32 bytes.
  public init(bytes: [UInt8]) {
    precondition(bytes.count == 32, "A key has 32 bytes.")
    let digits = Array("0123456789abcdef")
    let hex = String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    literal = "\"x'\(hex)'\""
  }

  /// Makes a key from a passphrase, which the library stretches.
  ///
  /// - Parameter passphrase: A text that is not empty. With an empty key, the library would not
  ///   encrypt the file.
  public init(passphrase: String) {
    precondition(!passphrase.isEmpty, "A passphrase is not empty.")
    literal =
      "'\(passphrase.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
  }

  /// Sets the key of a connection; must be called before the first read.
  func apply(to database: OpaquePointer) throws(PersistenceError) {
    // The error must not contain the statement's text, which contains the key.
    let code = sqlite3_exec(database, "PRAGMA key = \(literal)", nil, nil, nil)
    guard code == SQLITE_OK else { throw PersistenceError.sqlite(code, on: nil) }
    guard try isSupported(by: database) else {
      throw PersistenceError(
        .encryptionUnavailable,
        message: "The SQLite library \(String(cString: sqlite3_libversion())) cannot encrypt files")
    }
  }

  /// Whether the SQLite library supports keys; a library without encryption ignores `PRAGMA key`.
  private func isSupported(by database: OpaquePointer) throws(PersistenceError) -> Bool {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(database, "PRAGMA cipher_version", -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    guard code == SQLITE_OK else { throw PersistenceError.sqlite(code, on: nil) }
    return sqlite3_step(statement) == SQLITE_ROW
  }
}

extension EncryptionKey: CustomStringConvertible, CustomReflectable {
  /// The name of the type, without the key, which is secret.
  public var description: String { "EncryptionKey" }

  /// A mirror without children, because the key is secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
