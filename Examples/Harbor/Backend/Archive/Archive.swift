public import CausewayData
import CausewaySystem
public import Foundation
public import HarborDomain

/// The content of a backend as JSON: its groups with their activities, and all links.
///
/// It contains no accounts, tokens, people or pictures. `harbor backup` copies these too.
public struct Archive: Codable, Equatable, Sendable {
  /// A group with its content.
  public struct Group: Codable, Equatable, Sendable {
    var group: GroupRecord
    var activities: [ActivityRecord]
  }

  /// The groups, by name.
  public var groups: [Group]
  /// The short links of all accounts, by name.
  public var links: [LinkRecord]

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

  private init(groups: [Group], links: [LinkRecord]) {
    (self.groups, self.links) = (groups, links)
  }

  private struct Row: Decodable {
    var name: String
    var body: String
  }

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
      for group in groups {
        let own = Records(place: .account(account), collection: Groups.collection.name)
        let known: SQL = "SELECT 1 FROM member WHERE scope = \(Place.group(group.group.id).scope)"
        if try transaction.row(known, as: Int.self) == nil {
          let change = Collection<GroupMutation>.Change(
            mutation: .found(group.group), record: nil, place: .account(account),
            account: account, date: now)
          try Self.check("group “\(group.group.name)”") {
            try Groups.collection.verify(change, in: transaction)
          }
          try own.put(Records.encoded(group.group), id: group.group.id, in: transaction)
          count += 1
        }
        let place = Place.group(group.group.id)
        let records = Records(place: place, collection: Rules.activities.name)
        for activity in group.activities
        where try records.body(of: activity.id, in: transaction) == nil {
          let change = Collection<ActivityMutation>.Change(
            mutation: .create(activity), record: nil, place: place, account: account,
            date: now)
          try Self.check("activity “\(activity.title)”") {
            try Rules.activities.verify(change, in: transaction)
          }
          try records.put(Records.encoded(activity), id: activity.id, in: transaction)
          count += 1
        }
      }
      let links = Records(place: .account(account), collection: Rules.links.name)
      for link in self.links {
        let change = Collection<LinkMutation>.Change(
          mutation: .add(link), record: nil, place: .account(account), account: account,
          date: now)
        let taken: SQL = """
          SELECT 1 FROM record WHERE collection = 'links' AND id = \(link.id) AND body IS NOT NULL
          """
        if try transaction.row(taken, as: Int.self) != nil { continue }
        try Self.check("link “\(link.id)”") { try Rules.links.verify(change, in: transaction) }
        try links.put(Records.encoded(link), id: link.id, in: transaction)
        count += 1
      }
      return count
    }
  }

  private static func check(_ name: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let refusal as Refusal {
      throw ArchiveProblem("The \(PrintableText.escaped(name)) was refused. \(refusal)")
    }
  }
}

/// The reason why an archive cannot be imported, as a sentence for people.
public struct ArchiveProblem: Error, CustomStringConvertible, Sendable {
  /// The record and the rule.
  public var description: String

  /// Makes a problem from a sentence.
  public init(_ description: String) {
    self.description = description
  }
}
