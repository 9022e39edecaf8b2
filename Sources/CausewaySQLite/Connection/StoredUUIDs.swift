import CSQLite
import CausewayDatabase
import Foundation

/// The form in which a column stores UUIDs.
///
/// SQLite has no type for them. The service stores the upper case; other programs also store the
/// lower case or the 16 bytes, and a comparison with another form finds nothing.
enum UUIDForm: Hashable {
  case upperCase, lowerCase, bytes

  /// Returns the value in this form if it is a UUID as the service stores it.
  func value(_ value: SQLValue) -> SQLValue {
    guard self != .upperCase, value.isStoredUUID, case .text(let text) = value else { return value }
    if self == .lowerCase { return .text(text.lowercased()) }
    guard let uuid = UUID(uuidString: text) else { return value }
    return .blob(withUnsafeBytes(of: uuid.uuid, Array.init))
  }
}

extension SQLValue {
  /// Whether this is the value of a `UUID`.
  var isStoredUUID: Bool {
    guard case .text(let text) = self, text.utf8.count == 36 else { return false }
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "-"): if ![8, 13, 18, 23].contains(index) { return false }
      case 0x30...0x39, 0x41...0x46: if [8, 13, 18, 23].contains(index) { return false }
      default: return false
      }
    }
    return true
  }
}

/// The forms of the columns that a connection has looked at.
struct StoredUUIDs {
  /// `nil` for a column that stores something else.
  private var forms: [StatementAccess.Column: UUIDForm?] = [:]

  /// Returns the form of a column, and whether it is known.
  ///
  /// It is that of the first value. A column without values has no form yet.
  mutating func form(
    of column: StatementAccess.Column, on connection: Connection
  ) throws(PersistenceError) -> (form: UUIDForm?, isKnown: Bool) {
    if let form = forms[column] { return (form, true) }
    let (table, name) = (SQL.quoted(column.table), SQL.quoted(column.name))
    do {
      let statement = try connection.prepareOnce(
        "SELECT c FROM (SELECT \(name) AS c FROM main.\(table) LIMIT 100) WHERE c IS NOT NULL")
      defer { statement.reset() }
      guard try connection.step(statement) else { return (nil, false) }
      let form = Self.form(of: statement.handle)
      forms[column] = .some(form)
      return (form, true)
    } catch {
      // A part of the statement with a name of its own, such as a view or a WITH clause.
      guard error.kind == .statement else { throw error }
      forms[column] = .some(nil)
      return (nil, true)
    }
  }

  private static func form(of row: OpaquePointer) -> UUIDForm? {
    switch sqlite3_column_type(row, 0) {
    case SQLITE_BLOB: return sqlite3_column_bytes(row, 0) == 16 ? .bytes : nil
    case SQLITE_TEXT:
      guard sqlite3_column_bytes(row, 0) == 36, let start = sqlite3_column_text(row, 0) else {
        return nil
      }
      let text = String(cString: start)
      if SQLValue.text(text).isStoredUUID { return .upperCase }
      let isLower = text == text.lowercased() && SQLValue.text(text.uppercased()).isStoredUUID
      return isLower ? .lowerCase : nil
    default: return nil
    }
  }
}

extension Connection {
  /// Returns bound values in which UUIDs have the forms of the columns that they are compared with.
  ///
  /// - Throws: `PersistenceError` of kind `statement` if the columns have several forms, and the
  ///   statement does not show which one is compared.
  func matching(
    _ values: [SQLValue], for statement: Statement
  ) throws(PersistenceError) -> [SQLValue] {
    guard values.contains(where: \.isStoredUUID) else { return values }
    let forms: [UUIDForm]
    if let known = statement.uuidForms {
      forms = known
    } else {
      let (found, isFinal) = try uuidForms(of: statement, values)
      if isFinal { statement.uuidForms = found }
      forms = found
    }
    guard forms.count == values.count else { return values }
    return zip(values, forms).map { $1.value($0) }
  }

  /// Returns a form for each value, and whether it can be kept for later runs.
  private func uuidForms(
    of statement: Statement, _ values: [SQLValue]
  ) throws(PersistenceError) -> ([UUIDForm], isFinal: Bool) {
    var forms: [String: Set<UUIDForm>] = [:]
    var isKnown = true
    for column in statement.access.columns {
      let (form, isColumnKnown) = try storedUUIDs.form(of: column, on: self)
      if !isColumnKnown { isKnown = false }
      if let form { forms[column.name, default: []].insert(form) }
    }
    let all = forms.values.reduce(into: Set()) { $0.formUnion($1) }
    // A column without values is not looked at for ever.
    statement.uuidLooks += 1
    let isFinal = isKnown || !all.isEmpty || statement.uuidLooks > 8
    guard all.contains(where: { $0 != .upperCase }) else {
      return ([UUIDForm](repeating: .upperCase, count: values.count), isFinal)
    }
    let names = SQLTokens(statement.text).comparedColumns
    var chosen: [UUIDForm] = []
    for (index, value) in values.enumerated() {
      let name = index < names.count ? names[index] : nil
      let possible = name.map { forms[$0] ?? [.upperCase] } ?? all
      guard possible.count == 1 || !value.isStoredUUID else {
        throw PersistenceError(
          .statement,
          message: "A UUID is compared with columns that store UUIDs in several forms; "
            + "write the column beside the value, as in \"column = ?\"",
          sql: statement.text)
      }
      chosen.append(possible.first ?? .upperCase)
    }
    return (chosen, isFinal)
  }
}
