/// The name that the board stores for one browser.
public struct BrowserName: NameRepositoryProtocol {
  private let names: NameRepository
  private let browser: String

  /// Makes the name repository of the browser with this identity.
  public init(_ names: NameRepository, browser: String) {
    self.names = names
    self.browser = browser
  }

  /// The name that was last read or stored.
  ///
  /// It is read under a lock, from any isolation.
  public var latest: PersonName? { names.latest(in: browser) }

  /// Reads the name.
  ///
  /// - Throws: ``ActivityError/notRead(reason:)``.
  public func remembered() async throws(ActivityError) -> PersonName? {
    try await names.remembered(in: browser)
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
