public import CausewayData
import CausewaySyncServer
import CausewayWeb
public import Foundation
import HarborAccounts
public import HarborDomain

/// The content of a backend as JSON: its groups with their activities, and all links.
///
/// It contains no accounts, tokens, people or pictures. `harbor backup` copies these too.
public struct Archive: Codable, Equatable, Sendable {
  /// A group with its content.
  public struct Group: Codable, Equatable, Sendable {
    package var group: GroupRecord
    package var activities: [ActivityRecord]

    package init(group: GroupRecord, activities: [ActivityRecord]) {
      (self.group, self.activities) = (group, activities)
    }
  }

  /// The groups, by name.
  public var groups: [Group]
  /// The short links of all accounts, by name.
  public var links: [LinkRecord]

  package init(groups: [Group], links: [LinkRecord]) { (self.groups, self.links) = (groups, links) }

  /// Reads the content of a backend's database in one transaction.
  ///
  /// Complexity: O(*n*) in the number of records.
  ///
  /// - Returns: The archive, and the records that cannot be read.
  public static func read(
    _ store: any PersistenceService
  ) async throws -> (archive: Archive, omitted: [OmittedRecord]) {
    try await store.read { transaction in
      var omitted: [OmittedRecord] = []
      let groups = try transaction.rows(
        "SELECT substr(scope, 8) AS id, min(name) AS name FROM member GROUP BY scope ORDER BY name",
        as: GroupRecord.self)
      let archive = Archive(
        groups: try groups.map { group in
          Group(
            group: group,
            activities: try records(
              "collection = 'activities' AND scope = \(Place.group(group.id).scope)",
              in: transaction, &omitted))
        }, links: try records("collection = 'links'", in: transaction, &omitted))
      return (archive, omitted)
    }
  }

  private struct Row: Decodable { var name, body: String }

  private static func records<Record: Decodable>(
    _ condition: SQL, in transaction: any ReadTransaction, _ omitted: inout [OmittedRecord]
  ) throws -> [Record] {
    let rows = try transaction.rows(
      """
      SELECT scope || '/' || collection || '/' || id AS name, body FROM record
      WHERE body IS NOT NULL AND \(condition) ORDER BY id
      """, as: Row.self)
    return rows.compactMap { row in
      do {
        return try JSONDecoder().decode(Record.self, from: Data(row.body.utf8))
      } catch {
        omitted.append(OmittedRecord(name: row.name, reason: "\(error)"))
        return nil
      }
    }
  }

  /// Adds the content to a backend, in one transaction, and returns the number of new records.
  ///
  /// The new groups and links belong to the account of the machine. Existing records do not change,
  /// so an import can be repeated.
  ///
  /// - Throws: ``ArchiveProblem`` if a record breaks a rule. Nothing is added then.
  public func write(to store: any PersistenceService, at now: Date) async throws -> Int {
    try await store.write { transaction in
      let account = Backend.localAccount
      try Backend.makeLocalAccount(at: now, in: transaction)
      var count = 0
      func add<Change: Mutation>(
        _ record: Change.Record, by mutation: Change, to collection: Collection<Change>,
        at place: Place, _ name: String, people: Set<String> = []
      ) throws where Change.Record.ID == String {
        do {
          try collection.verify(
            .init(mutation: mutation, record: nil, place: place, account: account, date: now),
            in: transaction)
          for name in people { try NameRule.check(imported: name, at: place, in: transaction) }
        } catch let refusal as Refusal {
          throw ArchiveProblem("The \(ServerLog.escaped(name)) was refused. \(refusal)")
        }
        try Records(place: place, collection: collection.name)
          .put(Records.encoded(record), id: record.id, in: transaction)
        count += 1
      }
      let own = Place.account(account)
      for content in groups {
        let (group, place) = (content.group, Place.group(content.group.id))
        let known: SQL = "SELECT 1 FROM member WHERE scope = \(place.scope)"
        if try transaction.row(known, as: Int.self) == nil {
          try add(group, by: .found(group), to: Groups.collection, at: own, "group “\(group.name)”")
          try Members.add(account, to: group, in: transaction)
        }
        let records = Records(place: place, collection: Rules.activities.name)
        for activity in content.activities
        where try records.body(of: activity.id, in: transaction) == nil {
          try add(
            activity, by: .create(activity), to: Rules.activities, at: place,
            "activity “\(activity.title)”", people: Set([activity.host] + activity.participants))
          try ActivityNotices.remind(
            of: activity, activity.id, in: place.scope.rawValue, at: now, in: transaction)
        }
        try ActivityTables.follow(place, in: transaction)
      }
      for link in links {
        let taken: SQL = """
          SELECT 1 FROM record WHERE collection = 'links' AND id = \(link.id) AND body IS NOT NULL
          """
        if try transaction.row(taken, as: Int.self) != nil { continue }
        try add(link, by: .add(link), to: Rules.links, at: own, "link “\(link.id)”")
      }
      return count
    }
  }
}

/// The reason why an archive cannot be imported, as a sentence for people.
public struct ArchiveProblem: Error, CustomStringConvertible, Sendable {
  /// The record and the rule.
  public var description: String

  /// Makes a problem from a sentence.
  public init(_ description: String) { self.description = description }
}
