package import Foundation

/// The short links of the account.
public protocol LinkRepositoryProtocol: Sendable {
  /// Yields the links by name, now and after each change.
  func links() -> AsyncThrowingStream<[ShortLink], any Error>

  /// Adds a link.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  func add(_ link: LinkRecord) async throws(ActivityError)

  /// Removes a link. Does nothing if no link has this name.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  func remove(_ name: String) async throws(ActivityError)
}

/// A short link with its address.
public struct ShortLink: Identifiable, Equatable, Sendable {
  /// The name.
  public var id: String
  /// The address that the link leads to.
  public var target: String
  /// The whole short address.
  public var address: String
  /// Whether the server does not have the link yet.
  public var isPending: Bool

  /// Makes a link from its parts.
  public init(id: String, target: String, address: String, isPending: Bool) {
    (self.id, self.target, self.address, self.isPending) = (id, target, address, isPending)
  }

  /// Makes the link of a record, with its address on a server.
  package init(_ record: LinkRecord, on server: URL, isPending: Bool) {
    self.init(
      id: record.id, target: record.target,
      address: server.appending(path: "l/\(record.id)").absoluteString, isPending: isPending)
  }
}
