public import CausewayData
public import Foundation

/// A short link of an account: `/l/NAME` redirects to its target.
public struct LinkRecord: Codable, Equatable, Sendable, Identifiable {
  /// The name in the address, unique on the server.
  public var id: String
  /// The address that the link leads to.
  public var target: String
  /// The date of its creation, in seconds since 1970.
  public var created: TimeInterval

  /// Makes a link from texts that were checked before; see ``LinkDraft``.
  public init(id: String, target: String, created: TimeInterval) {
    (self.id, self.target, self.created) = (id, target, created)
  }
}

/// A change of the links of an account.
public enum LinkMutation: Mutation, Equatable {
  /// Adds a link. The server refuses it if any account has a link with that name.
  case add(LinkRecord)
  /// Removes a link.
  case remove(id: String)

  /// The name of the link.
  public var recordID: String {
    switch self {
    case .add(let link): link.id
    case .remove(let id): id
    }
  }

  /// A noun for lists of changes.
  public var kind: String {
    switch self {
    case .add: "New link"
    case .remove: "Delete a link"
    }
  }

  /// Applies the change.
  public func apply(to record: inout LinkRecord?) {
    switch self {
    case .add(let link): record = link
    case .remove: record = nil
    }
  }
}

/// A link as a person typed it, not yet checked.
public struct LinkDraft: Sendable, Equatable {
  /// The name as typed.
  public var name: String
  /// The target as typed.
  public var target: String

  /// A draft with these texts.
  public init(name: String, target: String) {
    self.name = name
    self.target = target
  }

  /// Checks both texts and returns the link.
  ///
  /// - Throws: ``LinkProblem``.
  public func validated(at now: Date) throws(LinkProblem) -> LinkRecord {
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    guard name.wholeMatch(of: /[a-z0-9][a-z0-9-]{0,39}/) != nil else { throw .name }
    let target = target.trimmingCharacters(in: .whitespacesAndNewlines)
    guard target.utf8.count <= 2_000, let url = URLComponents(string: target),
      ["http", "https"].contains(url.scheme?.lowercased() ?? ""), url.host?.isEmpty == false,
      url.user == nil, !target.unicodeScalars.contains(where: { $0.value < 33 })
    else { throw .target }
    return LinkRecord(id: name, target: target, created: now.timeIntervalSince1970)
  }
}

/// The problem of a link.
public enum LinkProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name is not 1 to 40 letters, digits and hyphens, or begins with a hyphen.
  case name
  /// The target is not a web address.
  case target

  /// A sentence for the user: the problem and its fix.
  public var description: String {
    switch self {
    case .name: "Use 1 to 40 letters from a to z, digits and hyphens for the name."
    case .target: "Type a web address that begins with http:// or https://."
    }
  }
}
