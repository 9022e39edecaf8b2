/// The groups of the account, and invitations.
public protocol GroupRepositoryProtocol: Sendable {
  /// Yields the groups by name, now and after each change.
  func groups() -> AsyncThrowingStream<[GroupRecord], any Error>

  /// Founds a group, with or without a connection, and shows its board.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  func found(_ name: PersonName) async throws(ActivityError)

  /// Shows the board of a group on all pages of this device.
  func show(_ group: String) async

  /// Ends the membership in a group.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  func leave(_ group: String) async throws(ActivityError)

  /// Makes an invitation to a group and returns its code; needs a connection.
  func invite(to group: String) async throws -> String

  /// Makes the secret address of a calendar feed, and ends the earlier one; needs a connection.
  ///
  /// - Parameter group: The id of a group; `nil` for the activities that the account hosts or joins
  ///   in all groups.
  func calendar(of group: String?) async throws -> String

  /// Joins the group of an invitation and shows its board; needs a connection.
  func accept(_ code: String) async throws
}
