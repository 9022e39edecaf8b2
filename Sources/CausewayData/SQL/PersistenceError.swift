/// What went wrong in a persistence service, and what to do about it.
///
/// Holds the statement's text but never a bound value, so that it can be logged.
public struct PersistenceError: Error, Hashable, Sendable {
  /// The kind of failure.
  public enum Kind: Hashable, Sendable {
    /// Another connection or process kept the lock for longer than the busy timeout.
    case busy
    /// The disk, or the size that the file may have, is full.
    case full
    /// The file is damaged.
    case corrupt
    /// The file was removed, moved or replaced while the service had it open.
    case fileReplaced
    /// The file is something else than a database.
    case notADatabase
    /// The file, its directory or the transaction may only be read.
    case readOnly
    /// The file could not be opened or created.
    case cannotOpen
    /// The change breaks a rule of the schema.
    case constraint(Constraint)
    /// The operating system failed to read or write.
    case inputOutput
    /// The statement was stopped because its task was cancelled.
    case interrupted
    /// The statement is wrong, or does not fit the schema or its place.
    case statement
    /// A row does not fit the type that it should become.
    case decoding
    /// A record has a value that the database cannot store.
    case encoding
    /// The migrations and the file do not fit each other.
    case migration
    /// An earlier failure ended the transaction, and nothing of it was stored.
    case aborted
    /// The service was closed.
    case closed
    /// Anything else; see `code`.
    case other
  }

  /// A rule of the schema.
  public enum Constraint: Hashable, Sendable {
    /// `UNIQUE`: another row has the same value.
    case unique
    /// `PRIMARY KEY`: another row has the same key.
    case primaryKey
    /// `REFERENCES`: a row that is referred to is missing, or one that refers would be left.
    case foreignKey
    /// `NOT NULL`: a value is missing.
    case notNull
    /// `CHECK`: a value does not meet its condition.
    case check
    /// Any other rule.
    case other
  }

  /// The sort of failure.
  public var kind: Kind
  /// The database's primary result code, 0 when the failure is not the database's.
  public var code: Int
  /// The database's extended result code, 0 when the failure is not the database's.
  public var extendedCode: Int
  /// What happened, in words.
  public var message: String
  /// The statement with placeholders, if it was one.
  public var sql: String?

  /// Makes an error, for implementations of `PersistenceService`.
  ///
  /// - Parameters:
  ///   - kind: The sort of failure, to decide by.
  ///   - code: The database's primary result code, 0 when the failure is not the database's.
  ///   - extendedCode: The database's extended result code, 0 when the failure is not its own.
  ///   - message: What happened, in words and without bound values.
  ///   - sql: The statement with placeholders, if it was one.
  public init(
    _ kind: Kind, code: Int = 0, extendedCode: Int = 0, message: String, sql: String? = nil
  ) {
    self.kind = kind
    self.code = code
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
  }
}

extension PersistenceError: CustomStringConvertible {
  /// The message, the code, the statement with placeholders, and the remedy.
  public var description: String {
    var text = message
    if extendedCode != 0 { text += " (code \(extendedCode))" }
    if let sql { text += " in: \(sql)" }
    return "\(text). \(remedy)"
  }
}
