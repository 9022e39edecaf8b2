import Foundation

/// Keeps a token in a file that only its owner can read.
///
/// The file is replaced in one step and has mode 0600. One that others may read, or a folder in
/// which others may replace it, is refused with the command that fixes it. One process at a time
/// may use it.
public struct FileTokenStore: TokenStore {
  private let file: PrivateFile

  /// Makes a store; the file is touched when a token is loaded or stored.
  ///
  /// - Parameter path: Where the token is. The folder has to exist and belong to this user.
  public init(path: String) {
    file = PrivateFile(path: path)
  }

  init(_ file: PrivateFile) {
    self.file = file
  }

  /// The stored token, `nil` if there is none.
  ///
  /// A file that is not a token is moved aside, so that the next load finds none.
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

  /// Replaces the stored token; after a failure the former one is kept.
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

  /// Deletes the stored token and damaged ones that were moved aside; does nothing if there are none.
  ///
  /// - Throws: `TokenStoreError`.
  public func remove() throws(TokenStoreError) {
    try mapping(file.remove)
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
