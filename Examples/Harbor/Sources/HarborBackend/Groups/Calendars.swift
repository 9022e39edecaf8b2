import CausewayData
import CausewaySyncServer
package import CausewayWeb
package import Foundation
import HarborAccounts
package import HarborDomain

/// Calendars of a group and of a person, and single activities for a calendar.
extension Backend {
  private static let topic = "calendar"
  /// How long past activities stay in a feed, in seconds.
  private static let memory: TimeInterval = 366 * 86_400

  struct CalendarRequest: Codable, Sendable { var group: String? }

  /// Lets devices ask for the address of a feed.
  func serveCalendars() {
    server.post("/calendars", body: CalendarRequest.self) { [self] request, wanted in
      let account = try await identity(of: request).account
      return ["path": try await makeCalendar(of: wanted.group, as: account)]
    }
    serveCalendars(on: server, at: nil)
  }

  /// Makes the secret path of a feed, which replaces the one before.
  ///
  /// - Parameter group: The id of a group; `nil` for what the account hosts or joins in all groups.
  package func makeCalendar(of group: String?, as account: String) async throws -> String {
    try rates.count(upload: "calendar", by: account)
    return try await store.write { [random] transaction in
      if let group { try Identity(account: account).check(.group(group), in: transaction) }
      let topic = group.map { "\(Self.topic) \($0)" } ?? Self.topic
      return
        "/calendar/\(try SecretLinks.make(for: topic, of: account, random, in: transaction)).ics"
    }
  }

  /// Adds the feeds to a server.
  ///
  /// - Parameter pages: The address of the pages, for links to activities.
  package func serveCalendars(on server: WebServer, at pages: URL?) {
    server.get("/calendar/:code") { [store, now, rates] request in
      let code = String((request.parameters["code"] ?? "").prefix { $0 != "." })
      let oldest = now().timeIntervalSince1970 - Self.memory
      let content = try await store.read { transaction -> (String, [ActivityRecord])? in
        guard let (account, topic) = try SecretLinks.owner(of: code, in: transaction),
          topic == Self.topic || topic.hasPrefix("\(Self.topic) ")
        else { return nil }
        // The limit is necessary because a feed decodes all activities.
        try rates.count(upload: "feed \(topic)", by: account)
        let wanted = topic.dropFirst(Self.topic.count + 1)
        let groups = try Members.groups(of: account, in: transaction)
          .filter { wanted.isEmpty || $0.id == wanted }
        // A feed of a group ends with the membership.
        guard let first = groups.first ?? (wanted.isEmpty ? GroupRecord(id: "", name: "") : nil)
        else { return nil }
        let records = try groups.flatMap { group in
          let place = Place.group(group.id)
          let own =
            wanted.isEmpty ? try Names.keys(of: account, at: place, in: transaction) : nil
          return try Records(place: place, collection: Rules.activities.name)
            .decoded(as: ActivityRecord.self, in: transaction).map(\.record)
            .filter { record in
              record.start > oldest
                && own.map { keys in record.people.contains { keys.contains($0.key) } } ?? true
            }
        }
        return (wanted.isEmpty ? "My activities" : first.name, records)
      }
      guard let (name, records) = content else {
        throw Problem.notFound("This calendar has a new address, or does not exist.")
      }
      return CalendarDocument(name, records.map { $0.activity() }, on: pages).response(to: request)
    }
  }

  /// An activity that an account may see; `nil` if there is none.
  package func activity(_ id: String, as account: String) async throws -> Activity? {
    let query: SQL = "SELECT body FROM record WHERE \(Self.activity(id, of: account))"
    return try await store.read { try $0.row(query, as: String.self) }.map {
      try JSONDecoder().decode(ActivityRecord.self, from: Data($0.utf8)).activity()
    }
  }

  /// The group of an activity that an account may see.
  ///
  /// If several groups have the activity, the given group comes first.
  package func group(
    ofActivity id: String, as account: String, preferring shown: String?
  ) async throws -> String? {
    let query: SQL = "SELECT substr(scope, 8) FROM record WHERE \(Self.activity(id, of: account))"
    let groups = try await store.read { try $0.rows(query, as: String.self) }
    return groups.first { $0 == shown } ?? groups.first
  }

  private static func activity(_ id: String, of account: String) -> SQL {
    """
    collection = 'activities' AND id = \(id) AND body IS NOT NULL
    AND scope IN (SELECT scope FROM member WHERE account = \(account))
    """
  }
}

extension CalendarDocument {
  /// The calendar of activities.
  ///
  /// - Parameter pages: The address of the pages, for links to activities.
  package init(_ name: String, _ activities: [Activity], on pages: URL?) {
    self.init(
      name: name,
      events: activities.map { activity in
        let details = activity.details
        return CalendarEvent(
          id: activity.id, title: details.title, start: details.start, end: details.end,
          place: details.place, notes: details.notes,
          address: pages?.appending(path: "activity/\(activity.id)"), changed: activity.updated,
          sequence: activity.revision)
      })
  }

  /// The answer to a request for this calendar.
  package func response(to request: Request) -> Response {
    .representation(of: text.utf8, type: Self.mediaType, for: request)
  }
}
