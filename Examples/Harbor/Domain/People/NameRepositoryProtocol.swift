/// Stores the name of the person who uses a page.
public protocol NameRepositoryProtocol: Sendable {
  /// The name that was given last, or `nil`.
  ///
  /// - Throws: ``ActivityError/notRead(reason:)``.
  func remembered() async throws(ActivityError) -> PersonName?

  /// Keeps a name for the next time.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  func remember(_ name: PersonName) async throws(ActivityError)
}
