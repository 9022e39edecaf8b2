public import CausewayData
public import Foundation
public import HarborDomain

/// A feedback that the backend has received.
public struct ReceivedFeedback: Codable, Equatable, Sendable {
  /// The name of the account; `nil` if it was removed, and empty for the account of this machine.
  public var name: String?
  /// The text.
  public var text: String
  /// The date.
  @TimeColumn public var created: Date

  /// Reads all feedback, the newest first.
  public static func read(_ store: any PersistenceService) async throws -> [ReceivedFeedback] {
    try await store.read { transaction in
      try transaction.rows(
        """
        SELECT account.name AS name, feedback.text AS text, feedback.created AS created
        FROM feedback LEFT JOIN account ON account.id = feedback.account ORDER BY feedback.id DESC
        """, as: ReceivedFeedback.self)
    }
  }
}
