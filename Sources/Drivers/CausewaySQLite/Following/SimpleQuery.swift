/// A query of one table in which each row of the result depends on one row of the table only.
///
/// Only the text of a query decides whether it is simple. Its form is `SELECT` columns `FROM` a
/// table, with a condition of columns, literals, bound values and operators, and an order of
/// columns. A query with any other word or sign is not simple. Examples are functions, joins,
/// subqueries, groups, limits and comments. SQLite still checks the syntax of the parts.
struct SimpleQuery: Sendable, Equatable {
  struct Item: Sendable, Equatable {
    /// `nil` for all columns.
    var column: String?
    var alias: String?
  }

  struct Term: Sendable, Equatable {
    var column: String
    var isDescending: Bool
  }

  private(set) var table = ""
  private(set) var items: [Item] = []
  /// The names in the condition.
  private(set) var conditionColumns: Set<String> = []
  private(set) var terms: [Term] = []
  /// The text between `SELECT` and `FROM`.
  private(set) var list = ""
  /// The text after `WHERE`; empty for none.
  private(set) var condition = ""
  /// The text after `ORDER BY`; empty for none.
  private(set) var order = ""

  /// Returns `nil` for a query that is not provably simple.
  init?(_ text: String) {
    guard var scanner = QueryScanner(text), scanner.skip(word: "select") else { return nil }
    let listStart = scanner.position
    repeat {
      guard let item = scanner.item() else { return nil }
      items.append(item)
    } while scanner.skip(sign: ",")
    list = scanner.text(from: listStart)
    guard scanner.skip(word: "from"), let table = scanner.name() else { return nil }
    self.table = table
    if scanner.skip(word: "where") {
      let start = scanner.position
      guard let columns = scanner.condition() else { return nil }
      conditionColumns = columns
      condition = scanner.text(from: start)
    }
    if scanner.skip(word: "order") {
      guard scanner.skip(word: "by") else { return nil }
      let start = scanner.position
      repeat {
        guard let column = scanner.name() else { return nil }
        let isDescending = scanner.skip(word: "desc")
        if !isDescending { _ = scanner.skip(word: "asc") }
        terms.append(Term(column: column, isDescending: isDescending))
      } while scanner.skip(sign: ",")
      order = scanner.text(from: start)
    }
    guard scanner.isAtEnd else { return nil }
  }
}

extension QueryScanner {
  /// Reads `*`, a column, or a column with another name.
  fileprivate mutating func item() -> SimpleQuery.Item? {
    if skip(sign: "*") { return SimpleQuery.Item() }
    guard let column = name() else { return nil }
    guard skip(word: "as") else { return SimpleQuery.Item(column: column) }
    return name().map { SimpleQuery.Item(column: column, alias: $0) }
  }

  /// The operators that are words.
  private static let operators: Set = [
    "and", "or", "not", "is", "in", "null", "isnull", "notnull", "between", "like", "escape",
  ]

  /// Reads a condition up to `ORDER` or the end, and returns the names of its columns.
  fileprivate mutating func condition() -> Set<String>? {
    var columns: Set<String> = []
    var depth = 0
    while let token = peek {
      switch token.kind {
      case .word where token.word == "order" && depth == 0:
        return columns
      case .word where Self.operators.contains(token.word):
        advance()
        // Without a list, IN names a table.
        if token.word == "in", peek?.kind != .sign(UInt8(ascii: "(")) { return nil }
      case .word, .quoted:
        guard let name = name() else { return nil }
        // A name before a parenthesis is a function.
        if peek?.kind == .sign(UInt8(ascii: "(")) { return nil }
        columns.insert(name.lowercased())
      case .number, .string, .binding:
        advance()
      case .sign(let sign):
        if sign == UInt8(ascii: "(") { depth += 1 }
        if sign == UInt8(ascii: ")") { depth -= 1 }
        guard depth >= 0 else { return nil }
        advance()
      }
    }
    return depth == 0 ? columns : nil
  }
}
