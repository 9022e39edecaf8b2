import CausewayData
import CausewayWeb
import Foundation

/// The stored profile pictures.
///
/// A picture belongs to at most one person. If that person gets another picture or none, the
/// picture is removed. A picture that no person uses is removed after a day.
enum Pictures {
  /// The time for which an unused picture stays, in hours.
  private static let unusedTime = 24

  /// Records who stored a picture and who uses it.
  static let migration = Migration(
    "record the use of pictures",
    "ALTER TABLE picture ADD COLUMN account TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE picture ADD COLUMN uploaded INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE picture ADD COLUMN person TEXT",
    """
    UPDATE picture SET person = (
      SELECT min(record.id) FROM record
      WHERE record.collection = 'people' AND record.scope = 'groups/' || picture.group_id
      AND record.body LIKE '%"picture":"' || picture.id || '"%'
    )
    """,
    "CREATE INDEX picture_person ON picture (group_id, person)",
    "CREATE INDEX picture_account ON picture (account)")

  /// Removes the metadata of pictures that earlier versions have stored.
  static let metadataMigration = Migration("remove the metadata of pictures", version: 1) {
    transaction in
    for id in try transaction.rows("SELECT id FROM picture", as: String.self) {
      let stored: SQL = "SELECT bytes FROM picture WHERE id = \(id)"
      guard let bytes = try transaction.row(stored, as: Data.self), let type = PictureType(bytes)
      else { continue }
      let plain = Data(type.removingMetadata(from: bytes))
      if plain != bytes {
        try transaction.execute("UPDATE picture SET bytes = \(plain) WHERE id = \(id)")
      }
    }
  }

  /// Stores a picture that no person uses yet.
  ///
  /// - Throws: A `Problem` with status 403 if the account has too many pictures.
  static func add(
    _ bytes: Data, id: String, type: String, to group: String, by account: String, at date: Date,
    within quotas: Quotas, _ transaction: any WriteTransaction
  ) throws {
    let hour = Int(exactly: (date.timeIntervalSince1970 / 3_600).rounded(.down)) ?? 0
    try transaction.execute(
      "DELETE FROM picture WHERE person IS NULL AND uploaded < \(hour - unusedTime)")
    try quotas.check(
      .pictures, rows: "SELECT count(*) FROM picture WHERE account = \(account)",
      "pictures of this account", in: transaction)
    try transaction.execute(
      """
      INSERT INTO picture (id, group_id, type, bytes, account, uploaded)
      VALUES (\(id), \(group), \(type), \(bytes), \(account), \(hour))
      """)
  }

  /// Whether the account has stored a picture in the group; `nil` if there is no picture with the id.
  static func isOwn(
    _ id: String, of account: String, in group: String, _ transaction: any ReadTransaction
  ) throws -> Bool? {
    try transaction.row(
      "SELECT account = \(account) AND group_id = \(group) FROM picture WHERE id = \(id)",
      as: Bool.self)
  }

  /// Whether the group has a picture that no other person uses.
  static func mayUse(
    _ id: String, of person: String, in group: String, _ transaction: any ReadTransaction
  ) throws -> Bool {
    let free: SQL = """
      SELECT 1 FROM picture WHERE id = \(id) AND group_id = \(group)
      AND (person IS NULL OR person = \(person))
      """
    return try transaction.row(free, as: Int.self) != nil
  }

  /// Records the picture of a person, and removes the person's last one.
  ///
  /// - Parameter id: The new picture; `nil` for none.
  static func use(
    _ id: String?, of person: String, in group: String, _ transaction: any WriteTransaction
  ) throws {
    let id = id ?? ""
    try transaction.execute(
      "DELETE FROM picture WHERE group_id = \(group) AND person = \(person) AND id <> \(id)")
    try transaction.execute(
      "UPDATE picture SET person = \(person) WHERE id = \(id) AND group_id = \(group)")
  }
}
