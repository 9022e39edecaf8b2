/// An error of a persistence service, with a remedy.
///
/// It holds the text of the statement but no bound values, so it may be logged.
public struct PersistenceError: Error, Hashable, Sendable {
  /// The kind of failure.
  public enum Kind: Hashable, Sendable {
    /// Another connection or process kept the lock for longer than the busy timeout.
    case busy
    /// The disk is full, or the file has reached its size limit.
    case full
    /// The file is damaged.
    case corrupt
    /// The file was removed, moved or replaced while the service had it open.
    case fileReplaced
    /// The file is not a database.
    case notADatabase
    /// The file, its directory or the transaction is read-only.
    case readOnly
    /// The file could not be opened or created.
    case cannotOpen
    /// The change breaks a rule of the schema.
    case constraint(Constraint)
    /// The operating system failed to read or write.
    case inputOutput
    /// The statement was stopped because its task was cancelled.
    case interrupted
    /// A time limit or an administrator of the server stopped the statement.
    case timedOut
    /// The statement is invalid, or it is not allowed in this place.
    case statement
    /// A row cannot be decoded as the requested type.
    case decoding
    /// A record has a value that the database cannot store.
    case encoding
    /// The migrations do not match those that the file records.
    case migration
    /// An earlier error ended the transaction, and none of its changes were stored.
    case aborted
    /// The server cannot be reached, and nothing was stored.
    case unavailable
    /// The server did not confirm a commit, so the transaction may or may not be stored.
    case outcomeUnknown
    /// The service was closed.
    case closed
    /// Any other failure; see `code`.
    case other
  }

  /// A rule of the schema.
  public enum Constraint: Hashable, Sendable {
    /// `UNIQUE` or `PRIMARY KEY`: another row has the same value.
    case unique
    /// `REFERENCES`: a referenced row is missing, or a referenced row would be deleted.
    case foreignKey
    /// `NOT NULL`: a value is missing.
    case notNull
    /// `CHECK`: a value does not meet its condition.
    case check
    /// Any other rule.
    case other
  }

  /// The kind of failure.
  public var kind: Kind
  /// The database's primary result code; 0 if the database did not report the failure.
  public var code: Int
  /// The database's extended result code; 0 if the database did not report the failure.
  public var extendedCode: Int
  /// A description of the failure.
  public var message: String
  /// The statement with placeholders; `nil` if no statement failed.
  public var sql: String?

  /// Makes an error, for implementations of `PersistenceService`.
  ///
  /// - Parameters:
  ///   - kind: The kind of failure.
  ///   - code: The database's primary result code; 0 if the database did not report the failure.
  ///   - extendedCode: The database's extended result code; 0 if the database did not report the
  ///     failure.
  ///   - message: A description of the failure, without bound values.
  ///   - sql: The statement with placeholders; `nil` if no statement failed.
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

extension PersistenceError {
  /// Makes an error for a row that could not be decoded as its type.
  ///
  /// The message contains no values. The system's description of the error would quote them.
  package init(undecodable type: any Any.Type, _ error: any Error, sql: String) {
    let reason =
      switch error {
      case DecodingError.keyNotFound(let key, _): "there is no \"\(key.stringValue)\""
      case DecodingError.typeMismatch(let type, _): "a value is not a \(type)"
      case DecodingError.valueNotFound(let type, _): "a \(type) is missing"
      case is DecodingError: "a value does not fit"
      default: "its initializer threw a \(Swift.type(of: error))"
      }
    self.init(.decoding, message: "A row cannot become a \(type): \(reason)", sql: sql)
  }
}
