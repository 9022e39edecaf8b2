/// The name that the board stores for one browser.
public struct BrowserName: NameRepositoryProtocol {
  private let names: NameRepository
  private let browser: String
  private let fallback: PersonName?

  /// Makes the name repository of the browser with this identity.
  ///
  /// - Parameter fallback: The name of the account, for a browser without a name of its own.
  public init(_ names: NameRepository, browser: String, fallback: PersonName? = nil) {
    (self.names, self.browser, self.fallback) = (names, browser, fallback)
  }

  /// The name that was last read or stored.
  ///
  /// It is read under a lock, from any isolation.
  public var latest: PersonName? { names.latest(in: browser) ?? fallback }

  /// Reads the name.
  ///
  /// - Throws: ``ActivityError/notRead(reason:)``.
  public func remembered() async throws(ActivityError) -> PersonName? {
    try await names.remembered(in: browser) ?? fallback
  }

  /// Stores a name.
  ///
  /// It is stored when this returns.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  public func remember(_ name: PersonName) async throws(ActivityError) {
    try await names.remember(name, in: browser)
  }
}
