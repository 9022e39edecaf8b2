public import CausewayData

/// The part of the server's data that a collection belongs to: a group, or one account.
public enum Place: Hashable, Sendable {
  /// The data that all members of a group share.
  case group(String)
  /// The data of one account.
  case account(String)

  /// Reads the place from the scope of a request.
  ///
  /// - Throws: `RemoteFailure` of kind `unsendable` for the scope of another app.
  public init(_ scope: SyncScope) throws {
    let parts = scope.rawValue.split(separator: "/", maxSplits: 1).map(String.init)
    switch (parts.first, parts.last) {
    case ("groups", let id?) where parts.count == 2: self = .group(id)
    case ("accounts", let id?) where parts.count == 2: self = .account(id)
    default: throw RemoteFailure(.unsendable, "\(scope) is no group and no account.")
    }
  }

  /// The scope of the collection's synchronisation.
  public var scope: SyncScope {
    switch self {
    case .group(let id): SyncScope("groups/\(id)")
    case .account(let id): SyncScope("accounts/\(id)")
    }
  }
}
