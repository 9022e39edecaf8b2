/// The name of the person at one browser, among those that the board knows.
public struct BrowserName: NameRepositoryProtocol {
  private let names: NameRepository
  private let browser: String

  /// The name in the browser of that identity.
  public init(_ names: NameRepository, browser: String) {
    self.names = names
    self.browser = browser
  }

  /// The name as it was last read or kept; a lock-protected look, from any isolation.
  public var latest: PersonName? { names.latest(in: browser) }

  /// Reads the name.
  ///
  /// - Throws: ``ActivityError/notRead(reason:)``.
  public func remembered() async throws(ActivityError) -> PersonName? {
    try await names.remembered(in: browser)
  }

  /// Keeps a name; stored when this returns.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  public func remember(_ name: PersonName) async throws(ActivityError) {
    try await names.remember(name, in: browser)
  }
}
