public import Foundation
import Synchronization

/// Stores the token of the signed-in account across restarts.
///
/// The functions are synchronous, so a session can check and store without an `await` in between.
public protocol TokenStore: Sendable {
  /// The stored token; `nil` if there is none.
  func load() throws(TokenStoreError) -> AuthToken?

  /// Replaces the stored token; after a failure the former token is kept.
  func save(_ token: AuthToken) throws(TokenStoreError)

  /// Deletes the stored token; does nothing if there is none.
  func remove() throws(TokenStoreError)
}

/// A store that several processes use.
package protocol SharedTokenStore: TokenStore {
  /// Locks the token for a refresh; returns `nil` if another process has locked it.
  ///
  /// The lock ends when the result is released, or when the process ends.
  func lockForRefresh() throws(TokenStoreError) -> (any Sendable)?
}

/// The reasons why a token could not be loaded or stored, with remedies.
public enum TokenStoreError: Error, Hashable, Sendable {
  /// Other users can read, change or replace the file.
  case notPrivate(path: String, fix: String)
  /// The file does not contain a token; it was moved aside.
  case damaged(path: String, movedTo: String?)
  /// The system could not read or write the file.
  case system(path: String, reason: String)
}

extension TokenStoreError: CustomStringConvertible {
  /// A description of the error, with a remedy.
  public var description: String {
    switch self {
    case .notPrivate(let path, let fix):
      "Other users can read or replace the token in \(path), so it is not used. Run: \(fix)"
    case .damaged(let path, let movedTo):
      "The file \(path) is not a token"
        + (movedTo.map { " and was moved to \($0)" } ?? "") + ". Sign in again."
    case .system(let path, let reason):
      "The token in \(path) cannot be read or written: \(reason). "
        + "Check the folder and its owner."
    }
  }
}

extension TokenStoreError: LocalizedError {
  /// A sentence for people.
  public var errorDescription: String? {
    switch self {
    case .notPrivate: "Other users of this device could read your sign-in, so it is not used."
    case .damaged: "The stored sign-in is damaged. Sign in again."
    case .system: "Your sign-in cannot be stored on this device. Check its free space."
    }
  }
}

/// Stores a token in memory only.
public final class MemoryTokenStore: TokenStore {
  private let token: Mutex<AuthToken?>

  /// Makes a store with a token, or an empty store.
  public init(_ token: AuthToken? = nil) {
    self.token = Mutex(token)
  }

  /// The stored token; `nil` if there is none.
  public func load() -> AuthToken? { token.withLock(\.self) }

  /// Replaces the stored token.
  public func save(_ token: AuthToken) { self.token.withLock { $0 = token } }

  /// Deletes the stored token.
  public func remove() { token.withLock { $0 = nil } }
}
