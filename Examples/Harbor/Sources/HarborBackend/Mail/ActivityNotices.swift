import CausewayData
import CausewaySyncServer
import CausewayWeb
package import Foundation
package import HarborAccounts
package import HarborDomain

/// Who gets mails about an activity, and when.
struct ActivityNotices: NoticeSource {
  /// Makes the subject and the text of a mail from the current details, the earlier details, and
  /// the address.
  typealias Wording =
    @Sendable (
      _ kind: MailKind, ActivityDetails, _ old: ActivityDetails, URL, TimeZone
    ) -> (subject: String, text: String)

  private static let change = "change"

  let pages: URL
  let wording: Wording

  /// The step that makes the reminders of existing activities.
  static let migration = Migration("remind of activities", version: 1) { transaction in
    let stored: SQL = """
      SELECT DISTINCT scope FROM record WHERE collection = 'activities' AND body IS NOT NULL
      """
    for scope in try transaction.rows(stored, as: String.self) {
      let records = Records(scope: scope, collection: Rules.activities.name)
      for (id, record) in try records.decoded(as: ActivityRecord.self, in: transaction) {
        try remind(of: record, id, in: scope, at: .distantPast, in: transaction)
      }
    }
  }

  /// Stores what the mails about a change need, in its transaction.
  static func note(
    _ change: Collection<ActivityMutation>.Change, _ after: ActivityRecord?,
    in transaction: any WriteTransaction
  ) throws {
    let (before, id, scope) = (change.record, change.mutation.recordID, change.place.scope.rawValue)
    if let before, after.map({ differ(before, $0) }) ?? true {
      let both = [before, after].compactMap { $0?.details }
      // The mail is also sent after the start, to people who are on their way or wait at the place.
      let end = both.map { $0.end ?? $0.start + 3_600 }.max() ?? change.date
      let start = both.map(\.start).filter { $0 > change.date }.min() ?? .distantFuture
      try AccountNotices.note(
        Self.change, of: "\(scope) \(id)", content: Records.encoded(before), by: change.account,
        at: change.date, before: start - 600, until: end, in: transaction)
    }
    if before?.start != after?.start {
      try remind(
        of: after, id, in: scope, at: change.date, movedFrom: before?.details.start, in: transaction
      )
    }
  }

  /// Moves the reminder of an activity to the day before its start.
  ///
  /// If that time has passed, there is a reminder only if the reminder of the old start was not
  /// due.
  static func remind(
    of record: ActivityRecord?, _ id: String, in scope: String, at now: Date,
    movedFrom old: Date? = nil, in transaction: any WriteTransaction
  ) throws {
    let (kind, topic) = (MailKind.reminder.rawValue, "\(scope) \(id)")
    guard let start = record?.details.start, start > now, let due = dayBefore(start),
      due > now || old.flatMap(dayBefore) ?? now > now
    else { return try AccountNotices.cancel(kind, of: topic, in: transaction) }
    try AccountNotices.schedule(
      kind, of: topic, content: "", at: max(due, now.addingTimeInterval(120)), until: start,
      in: transaction)
  }

  private static func dayBefore(_ date: Date) -> Date? {
    Calendar.current.date(byAdding: .day, value: -1, to: date)
  }

  private static func differ(_ old: ActivityRecord, _ new: ActivityRecord) -> Bool {
    (old.title, old.place, old.start, old.finish) != (new.title, new.place, new.start, new.finish)
  }

  func notices(
    of event: NoticeEvent, in transaction: any ReadTransaction
  ) throws -> [NoticeDraft] {
    let activity = Stored(event.topic)
    let body = try activity.body(in: transaction)
    func drafts(
      _ kind: MailKind, _ content: String, _ people: [PersonName], except actor: String? = nil
    ) throws -> [NoticeDraft] {
      let owners: SQL = """
        SELECT DISTINCT account FROM person_name
        WHERE scope = \(activity.scope) AND key IN \(list: people.map(\.key)) ORDER BY account
        """
      return try transaction.rows(owners, as: String.self).filter { $0 != actor }.map {
        NoticeDraft(
          for: $0, kind: kind.rawValue, content: content, keepsContent: kind == .changed)
      }
    }
    guard event.kind == Self.change else {
      guard let record = Stored.record(body) else { return [] }
      return try drafts(.reminder, "\(record.start)", record.people)
    }
    guard let first = Stored.record(event.content), let last = Stored.record(event.latest) else {
      return []
    }
    guard let record = Stored.record(body) else {
      return try drafts(.cancelled, Self.brief(first), last.people, except: event.lastActor)
    }
    // People who joined between two changes get a mail about the second one. People who joined
    // after both changes get none, because they have seen the result. A change that was taken back
    // is not reported. An account with two names keeps the content of the first one.
    let (known, joined) = (Set(first.people.map(\.key)), Set(last.people.map(\.key)))
    var all: [NoticeDraft] = []
    if Self.differ(first, record) {
      all += try drafts(
        .changed, Self.brief(first), record.people.filter { known.contains($0.key) },
        except: event.actor)
    }
    if Self.differ(last, record) {
      all += try drafts(
        .changed, Self.brief(last),
        record.people.filter { joined.contains($0.key) && !known.contains($0.key) },
        except: event.lastActor)
    }
    return all
  }

  /// The parts of an activity that a mail needs.
  private static func brief(_ record: ActivityRecord) throws -> String {
    var record = record
    (record.notes, record.participants) = (nil, [])
    return try Records.encoded(record)
  }

  func mail(
    for notice: AccountNotice, in transaction: any ReadTransaction
  ) throws -> (subject: String, text: String)? {
    let activity = Stored(notice.topic)
    // An account that leaves a group loses its names there.
    let keys = try Names.keys(
      of: notice.account, at: Place(SyncScope(activity.scope)), in: transaction)
    let body = try activity.body(in: transaction)
    guard let kind = MailKind(rawValue: notice.kind), !keys.isEmpty,
      (body == nil) == (kind == .cancelled)
    else { return nil }
    let content = Stored.record(notice.content)
    guard let record = Stored.record(body) ?? content,
      kind == .cancelled || record.people.contains(where: { keys.contains($0.key) }),
      kind != .reminder || notice.content == "\(record.start)",
      kind != .changed || content.map({ Self.differ($0, record) }) ?? false
    else { return nil }
    return wording(
      kind, record.details, (content ?? record).details,
      pages.appending(path: "activity/\(activity.id)"), notice.timeZone)
  }

  /// The activity of a topic.
  private struct Stored {
    let scope, id: String

    init(_ topic: String) {
      let parts = topic.split(separator: " ", maxSplits: 1).map(String.init)
      (scope, id) = (parts.first ?? "", parts.last ?? "")
    }

    func body(in transaction: any ReadTransaction) throws -> String? {
      try Records(scope: scope, collection: Rules.activities.name).body(of: id, in: transaction)
    }

    static func record(_ body: String?) -> ActivityRecord? {
      try? JSONDecoder().decode(ActivityRecord.self, from: Data((body ?? "").utf8))
    }
  }
}

extension Backend {
  /// The mails about activities.
  ///
  /// - Parameters:
  ///   - pages: The address of the pages.
  ///   - wording: Makes the subject and the text from the current details, the earlier details, and
  ///     the address.
  ///   - isTemporary: Whether sending can succeed after an error.
  ///   - send: Sends a mail.
  package func makeNotices(
    at pages: URL,
    wording:
      @escaping @Sendable (
        MailKind, ActivityDetails, ActivityDetails, URL, TimeZone
      ) -> (subject: String, text: String),
    isTemporary: @escaping @Sendable (any Error) -> Bool,
    send: @escaping @Sendable (NoticeMail) async throws -> Void
  ) -> AccountNotices {
    AccountNotices(
      store: store, source: ActivityNotices(pages: pages, wording: wording), title: "Harbor",
      address: pages,
      kinds: Dictionary(uniqueKeysWithValues: MailKind.allCases.map { ($0.rawValue, $0.words) }),
      now: now, random: random, report: report, isTemporary: isTemporary, send: send)
  }
}
