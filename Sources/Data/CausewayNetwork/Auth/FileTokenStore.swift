package import CausewayBasics
import Foundation

/// Stores a token in a file that only its owner can read.
///
/// The file is replaced atomically and has mode 0600. The store refuses a file that other users can
/// read, and a folder in which other users can replace the file. The error names the command that
/// corrects the permissions.
///
/// An app and its extension may use the same file. Their sessions refresh the token one after the
/// other, behind a lock file beside the token, and use the token that the other process has stored.
public struct FileTokenStore: SharedTokenStore {
  private let file: PrivateFile

  /// Makes a store.
  ///
  /// The file is accessed only when a token is loaded, stored or removed.
  ///
  /// - Parameter path: The path of the file. The folder must exist and belong to this user.
  public init(path: String) {
    file = PrivateFile(path: path)
  }

  package init(path: String, files: any FileSystem) {
    file = PrivateFile(path: path, files: files)
  }

  init(_ file: PrivateFile) {
    self.file = file
  }

  /// The stored token; `nil` if there is none.
  ///
  /// If the file is not a token, the store moves it aside and throws. The next load then returns
  /// `nil`.
  ///
  /// - Throws: `TokenStoreError`.
  public func load() throws(TokenStoreError) -> AuthToken? {
    guard let bytes = try mapping(file.read) else { return nil }
    do {
      return try JSONDecoder().decode(AuthToken.self, from: Data(bytes))
    } catch {
      throw .damaged(path: file.path, movedTo: file.setAside())
    }
  }

  /// Replaces the stored token; after a failure the former token is kept.
  ///
  /// - Throws: `TokenStoreError`.
  public func save(_ token: AuthToken) throws(TokenStoreError) {
    let bytes: Data
    do {
      bytes = try JSONEncoder().encode(token)
    } catch {
      throw .system(path: file.path, reason: String(describing: error))
    }
    try mapping { () throws(PrivateFileError) in try file.replace(Array(bytes)) }
  }

  /// Deletes the stored token and damaged files that were moved aside, if there are any.
  ///
  /// - Throws: `TokenStoreError`.
  public func remove() throws(TokenStoreError) {
    try mapping(file.remove)
  }

  package func lockForRefresh() throws(TokenStoreError) -> (any Sendable)? {
    try mapping(file.lock)
  }

  private func mapping<T>(
    _ body: () throws(PrivateFileError) -> T
  ) throws(TokenStoreError) -> T {
    do throws(PrivateFileError) {
      return try body()
    } catch {
      switch error {
      case .notPrivate(let path, let fix): throw .notPrivate(path: path, fix: fix)
      case .system(let path, let reason): throw .system(path: path, reason: reason)
      }
    }
  }
}
