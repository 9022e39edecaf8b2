public import CausewayData

/// A group in the list of an account.
public struct GroupRecord: Codable, Equatable, Sendable, Identifiable {
  /// The id.
  public var id: String
  /// The name.
  public var name: String

  /// Makes a group.
  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}

/// A change of the groups of an account.
public enum GroupMutation: Mutation, Equatable {
  /// Founds a group with this account as its first member.
  case found(GroupRecord)
  /// Ends the membership of this account.
  case leave(id: String)

  /// The id of the group.
  public var recordID: String {
    switch self {
    case .found(let group): group.id
    case .leave(let id): id
    }
  }

  /// A noun for lists of changes.
  public var kind: String {
    switch self {
    case .found: "New group"
    case .leave: "Leave a group"
    }
  }

  /// Applies the change.
  public func apply(to record: inout GroupRecord?) {
    switch self {
    case .found(let group): record = group
    case .leave: record = nil
    }
  }
}
