/// A part of a collection, as the server of a ``CollectionSource`` sends it.
public struct CollectionPage<Record: Decodable & Sendable>: Decodable, Sendable {
  /// New and changed records.
  public let records: [Record]
  /// The ids of deleted records.
  public let deleted: [String]
  /// The version that contains these changes.
  public let version: SyncVersion
  /// Whether the server has later changes.
  public let hasMore: Bool
  /// The ids of the records that cannot be decoded, and the reasons.
  ///
  /// A later version of the app, or another program, has written them. The other records of the
  /// page can still be read.
  let unreadable: [(id: String?, reason: String)]

  private enum CodingKeys: CodingKey {
    case records, deleted, version, hasMore
  }

  /// Reads a page, and leaves out the records that cannot be decoded.
  public init(from decoder: any Decoder) throws {
    let page = try decoder.container(keyedBy: CodingKeys.self)
    deleted = try page.decode([String].self, forKey: .deleted)
    version = try page.decode(SyncVersion.self, forKey: .version)
    hasMore = try page.decode(Bool.self, forKey: .hasMore)
    var records: [Record] = []
    var unreadable: [(id: String?, reason: String)] = []
    for element in try page.decode([Element].self, forKey: .records) {
      switch element {
      case .record(let record): records.append(record)
      case .unreadable(let id, let reason): unreadable.append((id, reason))
      }
    }
    (self.records, self.unreadable) = (records, unreadable)
  }

  private enum Element: Decodable {
    case record(Record)
    case unreadable(id: String?, reason: String)

    private struct Identity: Decodable { var id: String }

    init(from decoder: any Decoder) {
      do {
        self = .record(try Record(from: decoder))
      } catch {
        self = .unreadable(id: try? Identity(from: decoder).id, reason: "\(error)")
      }
    }
  }
}

/// A record of the server that this version of the app cannot read, so it is not shown.
public struct UnreadableRecord: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name of the collection.
  public let collection: String
  /// The id of the record; nil if that cannot be read either.
  public let id: String?
  /// The text of the error.
  public let reason: String

  /// A sentence that names the record.
  public var description: String {
    "The record \(id.map { "“\($0)”" } ?? "without an id") of the collection “\(collection)” cannot "
      + "be read, so it is not shown: \(reason)"
  }
}
