public import CausewayDatabase
public import Foundation

/// The tables of the notices.
extension AccountNotices {
  /// The step that makes the tables, after the step of ``AccountMail``.
  ///
  /// All rows of an account end with its mail address.
  ///
  /// - Parameters:
  ///   - integer: The database's type of 64-bit integers.
  ///   - real: The database's type of floating-point numbers.
  ///   - options: The end of a table's definition, such as ` STRICT`.
  public static func migration(
    integer: SQL = "BIGINT", real: SQL = "DOUBLE PRECISION", options: SQL = ""
  ) -> Migration {
    Migration(
      "keep notices for mails",
      """
      CREATE TABLE notice_choice (
        account TEXT NOT NULL REFERENCES account_mail (account) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        zone TEXT,
        PRIMARY KEY (account, kind)
      )\(options)
      """,
      """
      CREATE TABLE notice_event (
        kind TEXT NOT NULL,
        topic TEXT NOT NULL,
        content TEXT NOT NULL,
        latest TEXT NOT NULL,
        actor TEXT,
        last_actor TEXT,
        attempts \(integer) NOT NULL,
        began \(real) NOT NULL,
        due \(real) NOT NULL,
        expiry \(real) NOT NULL,
        PRIMARY KEY (kind, topic)
      )\(options)
      """,
      "CREATE INDEX notice_event_due ON notice_event (due)",
      """
      CREATE TABLE account_notice (
        id TEXT PRIMARY KEY NOT NULL,
        account TEXT NOT NULL REFERENCES account_mail (account) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        topic TEXT NOT NULL,
        content TEXT NOT NULL,
        address TEXT NOT NULL,
        code TEXT,
        attempts \(integer) NOT NULL,
        created \(real) NOT NULL,
        due \(real) NOT NULL,
        expiry \(real) NOT NULL
      )\(options)
      """,
      "CREATE INDEX account_notice_due ON account_notice (due)",
      """
      CREATE UNIQUE INDEX account_notice_account ON account_notice (account, kind, topic)
      """,
      """
      CREATE TABLE notice_end (
        hash TEXT PRIMARY KEY NOT NULL,
        account TEXT NOT NULL REFERENCES account_mail (account) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        address TEXT NOT NULL,
        created \(real) NOT NULL
      )\(options)
      """,
      "CREATE INDEX notice_end_account ON notice_end (account)",
      "CREATE INDEX notice_end_created ON notice_end (created)")
  }

  /// Stores an event that people are told about at a date, in the caller's transaction.
  ///
  /// It replaces an earlier event of the same kind and topic that people were not told about yet.
  ///
  /// - Parameters:
  ///   - kind: What happens, such as `reminder`.
  ///   - topic: What the event is about.
  ///   - content: What the app needs to know.
  ///   - date: When people are told.
  ///   - end: The date after which no mail is sent, such as the beginning of the activity.
  ///   - transaction: The transaction of the change.
  public static func schedule(
    _ kind: String, of topic: String, content: String, at date: Date, until end: Date,
    in transaction: any WriteTransaction
  ) throws {
    let due = date.timeIntervalSince1970
    try transaction.execute(
      """
      INSERT INTO notice_event (kind, topic, content, latest, actor, attempts, began, due, expiry)
      VALUES (\(kind), \(topic), \(content), \(content), NULL, 0, \(due), \(due),
        \(end.timeIntervalSince1970))
      ON CONFLICT (kind, topic) DO UPDATE SET content = excluded.content,
        latest = excluded.latest, actor = NULL, last_actor = NULL, attempts = 0, began = excluded.began, due = excluded.due,
        expiry = excluded.expiry
      """)
  }

  /// Stores a change, in its transaction.
  ///
  /// People are told about the change when no other change follows for a time. So several changes
  /// make one mail, which is sent at the latest after five times that time.
  ///
  /// - Parameters:
  ///   - kind: What happens, such as `change`.
  ///   - topic: What was changed.
  ///   - content: What the app needs to know about the time before the change.
  ///   - actor: The account that has made the change.
  ///   - date: The current date.
  ///   - time: The time without another change after which people are told.
  ///   - latest: The date at which people are told even if other changes follow, such as the
  ///     beginning of the changed activity.
  ///   - end: The date after which no mail is sent.
  ///   - transaction: The transaction of the change.
  public static func note(
    _ kind: String, of topic: String, content: String, by actor: String?, at date: Date,
    settlingFor time: Duration = .seconds(120), before latest: Date = .distantFuture,
    until end: Date,
    in transaction: any WriteTransaction
  ) throws {
    let (now, pause) = (date.timeIntervalSince1970, time / .seconds(1))
    let due = max(now, min(now + pause, latest.timeIntervalSince1970))
    try transaction.execute(
      """
      INSERT INTO notice_event (kind, topic, content, latest, actor, last_actor, attempts, began, due, expiry)
      VALUES (\(kind), \(topic), \(content), \(content), \(actor), \(actor), 0, \(now), \(due),
        \(end.timeIntervalSince1970))
      ON CONFLICT (kind, topic) DO UPDATE SET latest = excluded.latest,
        actor = CASE WHEN notice_event.actor = excluded.actor THEN excluded.actor END,
        last_actor = excluded.last_actor,
        due = CASE WHEN notice_event.began + \(5 * pause) < excluded.due
          THEN notice_event.began + \(5 * pause) ELSE excluded.due END,
        expiry = excluded.expiry
      """)
  }

  /// Removes an event that people were not told about yet, in the caller's transaction.
  public static func cancel(
    _ kind: String, of topic: String, in transaction: any WriteTransaction
  ) throws {
    try transaction.execute(
      "DELETE FROM notice_event WHERE kind = \(kind) AND topic = \(topic)")
  }

  /// Removes the notices of an account whose topics begin with a text, in the caller's transaction.
  ///
  /// Call it when the account loses the right to read what the mails are about. Events that are not due
  /// yet are not removed: ``NoticeSource/notices(of:in:)`` decides later who gets their notices.
  public static func removeNotices(
    ofTopicsWithPrefix prefix: String, of account: String, in transaction: any WriteTransaction
  ) throws {
    try transaction.execute(
      """
      DELETE FROM account_notice
      WHERE account = \(account) AND substr(topic, 1, length(\(prefix))) = \(prefix)
      """)
  }

  /// Removes events and notices that have ended, events that are a day late, and links of mails that
  /// are older than a year.
  ///
  /// A server calls it when it starts and every hour. A server without mail also calls it, because
  /// events would pile up otherwise.
  public static func removeExpired(
    at now: Date, in transaction: any WriteTransaction
  ) throws {
    let now = now.timeIntervalSince1970
    try transaction.execute(
      "DELETE FROM notice_event WHERE expiry <= \(now) OR due <= \(now - Self.patience)")
    try transaction.execute("DELETE FROM account_notice WHERE expiry <= \(now)")
    // A person opens the link of an old mail, too.
    try transaction.execute("DELETE FROM notice_end WHERE created <= \(now - 366 * 86_400)")
  }
}
