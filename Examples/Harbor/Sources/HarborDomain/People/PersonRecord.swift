public import CausewayData

/// A person of a group with a profile picture.
public struct PersonRecord: Codable, Equatable, Sendable, Identifiable {
  /// The comparable form of the name.
  public var id: String
  /// The name.
  public var name: String
  /// The id of the picture on the server, which changes with the picture.
  public var picture: String?

  /// Makes a person.
  public init(id: String, name: String, picture: String?) {
    (self.id, self.name, self.picture) = (id, name, picture)
  }
}

/// A change of a person.
public enum PersonMutation: Mutation, Equatable {
  /// Sets or removes the picture of a person. The picture is uploaded before this change is sent.
  case setPicture(name: String, picture: String?)
  /// Replaces a name of the account everywhere in the group.
  case rename(from: String, to: String)

  /// The person's id.
  public var recordID: String {
    switch self {
    case .setPicture(let name, _), .rename(let name, _): PersonName(stored: name).key
    }
  }

  /// A noun for lists of changes.
  public var kind: String {
    switch self {
    case .setPicture: "New picture"
    case .rename: "New name"
    }
  }

  /// The upload of the new picture, which must end first.
  ///
  /// Its key is the picture's id.
  public var dependencies: [MutationDependency] {
    guard case .setPicture(_, let picture?) = self else { return [] }
    return [.mutation(IdempotencyKey(rawValue: picture))]
  }

  /// Applies the change.
  public func apply(to record: inout PersonRecord?) {
    switch self {
    case .setPicture(let name, let picture):
      record = picture.map { PersonRecord(id: recordID, name: name, picture: $0) }
    case .rename(_, let name):
      // If the name has another key, the server makes a new record for it.
      let isSame = PersonName(stored: name).key == recordID
      record =
        isSame ? record.map { PersonRecord(id: $0.id, name: name, picture: $0.picture) } : nil
    }
  }
}
