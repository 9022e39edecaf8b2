#if canImport(Security)
  import Foundation
  import Security

  /// Stores a token in the system's keychain, on this device only.
  public struct KeychainTokenStore: TokenStore {
    private let service: String
    private let account: String

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - service: The name of the program or of its server.
    ///   - account: The account, if the program stores tokens of several accounts.
    public init(service: String, account: String = "") {
      self.service = service
      self.account = account
    }

    private var query: [CFString: Any] {
      [
        kSecClass: kSecClassGenericPassword,
        kSecAttrService: service,
        kSecAttrAccount: account,
      ]
    }

    /// The stored token; `nil` if there is none.
    ///
    /// - Throws: `TokenStoreError`.
    public func load() throws(TokenStoreError) -> AuthToken? {
      var search = query
      search[kSecReturnData] = true
      search[kSecMatchLimit] = kSecMatchLimitOne
      var found: CFTypeRef?
      let status = SecItemCopyMatching(search as CFDictionary, &found)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess, let data = found as? Data else { throw failure(status) }
      do {
        return try JSONDecoder().decode(AuthToken.self, from: data)
      } catch {
        throw .damaged(path: "keychain:\(service)", movedTo: nil)
      }
    }

    /// Replaces the stored token; after a failure the former token is kept.
    ///
    /// - Throws: `TokenStoreError`.
    public func save(_ token: AuthToken) throws(TokenStoreError) {
      let data: Data
      do {
        data = try JSONEncoder().encode(token)
      } catch {
        throw .system(path: "keychain:\(service)", reason: String(describing: error))
      }
      let content: [CFString: Any] = [
        kSecValueData: data,
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      var status = SecItemUpdate(query as CFDictionary, content as CFDictionary)
      if status == errSecItemNotFound {
        status = SecItemAdd(query.merging(content) { $1 } as CFDictionary, nil)
      }
      guard status == errSecSuccess else { throw failure(status) }
    }

    /// Deletes the stored token; does nothing if there is none.
    ///
    /// - Throws: `TokenStoreError`.
    public func remove() throws(TokenStoreError) {
      let status = SecItemDelete(query as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else { throw failure(status) }
    }

    private func failure(_ status: OSStatus) -> TokenStoreError {
      let reason = SecCopyErrorMessageString(status, nil) as String? ?? "status \(status)"
      return .system(path: "keychain:\(service)", reason: reason)
    }
  }
#endif
