/// Stores the name of the person who uses a page.
public protocol NameRepositoryProtocol: Sendable {
  /// Reads the name that was stored last; `nil` if there is none.
  ///
  /// - Throws: ``ActivityError/notRead(reason:)``.
  func remembered() async throws(ActivityError) -> PersonName?

  /// Stores a name for the next visit.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  func remember(_ name: PersonName) async throws(ActivityError)
}
