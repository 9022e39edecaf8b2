public import Foundation

/// The members and the invitations of a group.
public protocol MemberListProtocol: Sendable {
  /// Yields the members, now and after each change.
  func members() -> AsyncThrowingStream<[GroupMember], any Error>

  /// Yields the invitations, also some that have expired, now and after each change.
  func invitations() -> AsyncThrowingStream<[GroupInvitation], any Error>

  /// Lets a member organise the group too.
  func makeOrganiser(_ id: String) async throws

  /// Ends the membership of another account.
  func remove(_ id: String) async throws

  /// Ends an invitation.
  func endInvitation(_ id: String) async throws
}

/// An account that belongs to a group.
public struct GroupMember: Decodable, Equatable, Sendable, Identifiable {
  /// The id of the account, and its name, which is empty for the account of the machine.
  public var id, name: String
  private var organiser: Int64

  /// Whether the account organises the group.
  public var isOrganiser: Bool { organiser != 0 }
}

/// An invitation to a group.
public struct GroupInvitation: Decodable, Equatable, Sendable, Identifiable {
  /// The id, which grants no access.
  public var id: String
  /// The account that has made it, and its name; `nil` for the people who run the server.
  public var account, author: String?
  /// The end of the invitation.
  @TimeColumn public var end: Date
}
