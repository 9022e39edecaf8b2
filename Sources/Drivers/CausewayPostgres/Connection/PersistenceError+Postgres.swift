import CPostgres
package import CausewayDatabase

extension PersistenceError {
  /// The five characters of the `SQLSTATE`; `nil` for most failures that the server did not report.
  package var sqlState: String? {
    guard extendedCode > 0 else { return nil }
    let digits = String(extendedCode, radix: 36, uppercase: true)
    return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }

  static let closed = PersistenceError(.closed, message: "The service is closed")

  static let aborted = PersistenceError(
    .aborted, message: "The transaction was rolled back by an earlier failure")

  static let copyWithClient = PersistenceError(
    .statement,
    message: "The service cannot exchange rows with a COPY statement; use insert and rows")

  static func unavailable(_ message: String) -> PersistenceError {
    PersistenceError(.unavailable, message: message)
  }

  /// Makes an error from a failed result of the server.
  static func postgres(_ result: OpaquePointer?, sql: String?) -> PersistenceError {
    let state = causeway_pq_state(result).map { String(cString: $0) } ?? ""
    var message = causeway_pq_message(result).map { String(cString: $0) } ?? ""
    let routine = causeway_pq_routine(result).map { String(cString: $0) }
    // The server's message quotes the value.
    if state.hasPrefix("22") { message = dataError(state) }
    message += " (SQLSTATE \(state))"
    var error = PersistenceError(
      Kind(sqlState: state), code: Int(state.prefix(2), radix: 36) ?? 0,
      extendedCode: Int(state, radix: 36) ?? 0, message: message, sql: sql)
    if state == "0A000", routine == "RevalidateCachedQuery" { error.kind = .busy }
    return error
  }

  private static func dataError(_ state: String) -> String {
    switch state {
    case "22001": "A text is too long for its type"
    case "22003": "A number is out of the range of its type"
    case "22007", "22008": "A value is not a date or a time of its type"
    case "22012": "A number was divided by zero"
    case "22P02", "22P03": "A value does not fit its type"
    default: "The server refuses a value"
    }
  }

  /// Whether the server ends the connection after the error, although it can be reached.
  var endsConnection: Bool { ["25P03", "25P04"].contains(sqlState) }

  /// Whether the same transaction can succeed if it runs again.
  var isTransient: Bool {
    switch sqlState {
    case "40001", "40P01": true
    // A statement was prepared before another process changed the schema.
    case "0A000": kind == .busy
    default: false
    }
  }

  func adding(sql: String) -> PersistenceError {
    var error = self
    error.sql = error.sql ?? sql
    return error
  }
}

extension PersistenceError.Kind {
  init(sqlState: String) {
    self =
      switch sqlState {
      case "23505": .constraint(.unique)
      case "23503": .constraint(.foreignKey)
      case "23502": .constraint(.notNull)
      case "23514": .constraint(.check)
      case "25006": .readOnly
      case "25P02": .aborted
      case "40001", "40P01", "55P03", "55006": .busy
      case "53100": .full
      case "XX001", "XX002": .corrupt
      // A time limit was the cause: a cancelled task gives up its connection and gets another
      // error.
      case "57014", "25P03", "25P04": .timedOut
      case "58030": .inputOutput
      case "57P01", "57P02", "57P03", "57P05", "53300": .unavailable
      case "3D000": .cannotOpen
      default: Self(sqlStateClass: sqlState.prefix(2))
      }
  }

  private init(sqlStateClass name: Substring) {
    self =
      switch name {
      case "08": .unavailable
      case "23": .constraint(.other)
      case "28": .cannotOpen
      case "0A", "22", "25", "26", "2B", "34", "3B", "3F", "42", "44", "54": .statement
      default: .other
      }
  }
}
