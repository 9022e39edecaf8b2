public import CausewayData
import CausewaySyncServer
import CausewayWeb
import HarborDomain

/// A record that an archive does not contain, because it cannot be read.
///
/// Another program, or a later version of Harbor, has written it.
public struct OmittedRecord: Sendable, Equatable, CustomStringConvertible {
  /// The scope, the collection and the id of the record, such as `groups/GROUP/activities/ID`.
  public let name: String
  /// The text of the error.
  public let reason: String

  /// The record, the reason, and how to remove it.
  public var description: String {
    let argument = name.replacing("'", with: #"'\''"#)
    return ServerLog.escaped(
      """
      The record “\(name)” was left out, because it cannot be read: \(reason). If no later version \
      of Harbor has written it, remove it with: harbor remove '\(argument)'
      """)
  }
}

extension Archive {
  /// Removes a record, also one that cannot be read, and reports the removal to the devices.
  ///
  /// - Parameter name: See ``OmittedRecord/name``.
  /// - Throws: ``ArchiveProblem`` if the collections of an archive contain no such record.
  public static func remove(_ name: String, from store: any PersistenceService) async throws {
    let parts = name.split(separator: "/", maxSplits: 3).map(String.init)
    guard parts.count == 4, let place = try? Place(SyncScope("\(parts[0])/\(parts[1])")),
      [Rules.activities.name, Rules.links.name].contains(parts[2])
    else { throw noRecord(name) }
    let records = Records(place: place, collection: parts[2])
    try await store.write { transaction in
      guard try records.body(of: parts[3], in: transaction) != nil else { throw noRecord(name) }
      try records.put(nil, id: parts[3], in: transaction)
      try ActivityTables.follow(place, in: transaction)
    }
  }

  private static func noRecord(_ name: String) -> ArchiveProblem {
    ArchiveProblem("There is no record “\(ServerLog.escaped(name))”.")
  }
}
