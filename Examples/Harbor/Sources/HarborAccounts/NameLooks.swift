public import CausewayDatabase
import CausewayWeb
import Foundation

#if canImport(CSpoof)
  import CSpoof
#endif

/// The looks of names of accounts.
///
/// Two accounts must not have names that look the same, such as `Anna` and a name with a Cyrillic А.
/// The database stores several forms of each name. If a new name shares a form with the name of an
/// account, it is refused. The names of accounts that exist already never conflict with each other.
///
/// On Linux, ICU makes the forms from Unicode's list of confusable characters (UTS 39). Apple
/// systems do not offer this part of ICU. There, the forms only ignore case, width, and characters
/// that are not shown.
///
/// It uses the table `account` of the app, with the columns `id` and `name`.
public enum NameLooks {
  /// The step that adds the forms, after the table `account` with its key `id`.
  ///
  /// ``update(in:)`` then adds the forms of the existing accounts.
  public static func migration(options: SQL = "") -> Migration {
    Migration(
      "record the looks of names",
      "ALTER TABLE account ADD COLUMN looks TEXT",
      """
      CREATE TABLE account_look (
        form TEXT NOT NULL,
        account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        PRIMARY KEY (form, account)
      )\(options)
      """,
      "CREATE INDEX account_look_account ON account_look (account)")
  }

  /// The forms of a name.
  ///
  /// A small letter can look different from its capital letter: the Cyrillic В looks like a B, but
  /// в does not look like a b. So a name has three forms: as typed, in small letters, and in
  /// capital letters.
  ///
  /// - Throws: A `Problem` with status 422 if the name mixes alphabets.
  public static func forms(of name: String) throws -> [String] {
    let text = shown(name)
    guard try !mixesScripts(text) else {
      throw Problem(
        .unprocessableContent, code: "bad-name",
        detail: "Your name mixes letters of several alphabets. Type it in one alphabet.")
    }
    return try forms(shown: text)
  }

  /// The forms of a name that is stored already, which may mix alphabets.
  public static func forms(ofStored name: String) throws -> [String] {
    try forms(shown: shown(name))
  }

  private static func forms(shown text: String) throws -> [String] {
    try [("typed", text), ("small", text.lowercased()), ("capital", text.uppercased())].map {
      "\($0.0) \(try skeleton($0.1))"
    }
  }

  /// Whether an account other than `account` has one of the forms.
  public static func isTaken(
    _ forms: [String], exceptBy account: String? = nil, in transaction: any ReadTransaction
  ) throws -> Bool {
    let other: SQL = if let account { "AND account <> \(account)" } else { "" }
    return try forms.contains { form in
      let taken: SQL = "SELECT 1 FROM account_look WHERE form = \(form) \(other) LIMIT 1"
      return try transaction.row(taken, as: Int.self) != nil
    }
  }

  /// Replaces the stored forms of an account by the forms of its new name.
  public static func store(
    _ forms: [String], of account: String, in transaction: any WriteTransaction
  ) throws {
    try transaction.execute("DELETE FROM account_look WHERE account = \(account)")
    for form in forms {
      try transaction.execute(
        "INSERT INTO account_look (form, account) VALUES (\(form), \(account))")
    }
    try transaction.execute("UPDATE account SET looks = \(version) WHERE id = \(account)")
  }

  /// Makes the forms of all accounts whose forms are missing or have another ``version``.
  ///
  /// Complexity: O(*n*) in the number of these accounts.
  public static func update(in transaction: any WriteTransaction) throws {
    let old: SQL = """
      SELECT id, name FROM account WHERE name <> '' AND (looks IS NULL OR looks <> \(version))
      """
    for account in try transaction.rows(old, as: Account.self) {
      try store(forms(ofStored: account.name), of: account.id, in: transaction)
    }
  }

  private struct Account: Decodable {
    var id: String
    var name: String
  }

  /// A text without the characters and marks that hardly change its look.
  private static func shown(_ text: String) -> String {
    let composed = text.precomposedStringWithCompatibilityMapping.unicodeScalars
    // The composition joins a mark with its letter, as in é, so such a mark is not removed.
    let scalars = composed.filter {
      !$0.properties.isDefaultIgnorableCodePoint && !isMark($0)
    }
    return String(String.UnicodeScalarView(scalars))
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether a character is a mark that any letter can have.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }

  /// ICU failed, for example because its data is missing.
  struct Unavailable: Error, CustomStringConvertible {
    var description: String { "ICU cannot compare names. Install the package libicu." }
  }

  #if canImport(CSpoof)
    /// The version of the forms, which a store keeps beside them.
    public static let version = "ICU \(String(cString: harbor_icu_version())) 2"

    private static func skeleton(_ text: String) throws -> String {
      var text = text
      return try text.withUTF8 { text in
        let bytes = UnsafeRawBufferPointer(text).assumingMemoryBound(to: CChar.self)
        // One character becomes at most 18 others.
        return try withUnsafeTemporaryAllocation(
          of: CChar.self, capacity: 64 * text.count + 64
        ) { skeleton in
          let length = harbor_icu_skeleton(
            bytes.baseAddress, Int32(bytes.count), skeleton.baseAddress, Int32(skeleton.count))
          guard length >= 0 else { throw Unavailable() }
          return String(
            decoding: UnsafeRawBufferPointer(
              rebasing: UnsafeRawBufferPointer(skeleton)[..<Int(length)]), as: UTF8.self)
        }
      }
    }

    private static func mixesScripts(_ text: String) throws -> Bool {
      var text = text
      return try text.withUTF8 { text in
        let bytes = UnsafeRawBufferPointer(text).assumingMemoryBound(to: CChar.self)
        let answer = harbor_icu_mixes_scripts(bytes.baseAddress, Int32(bytes.count))
        guard answer >= 0 else { throw Unavailable() }
        return answer == 1
      }
    }
  #else
    /// The version of the forms, which a store keeps beside them.
    public static let version = "Foundation 2"

    private static func skeleton(_ text: String) throws -> String {
      text.decomposedStringWithCompatibilityMapping
    }

    private static func mixesScripts(_ text: String) throws -> Bool {
      [
        text.contains(/\p{Script=Latin}/), text.contains(/\p{Script=Greek}/),
        text.contains(/\p{Script=Cyrillic}/),
      ].filter(\.self).count > 1
    }
  #endif
}
