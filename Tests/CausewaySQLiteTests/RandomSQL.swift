import CausewayData
import TestSupport

/// Random statements on the tables of the test.
enum RandomSQL {
  struct Query {
    /// The query as an app writes it.
    var text: SQL
    /// The same query with an order for all rows.
    var expected: SQL
  }

  static let values: [SQL] = [
    "NULL", "0", "1", "-1", "2", "2.5", "3.0", "9007199254740993", "9007199254740992.0", "''",
    "'a'",
    "'B'", "'b'", "'\u{E9}'", "'e\u{301}'", "x'61'", "x''", "1e300", "-1e300", "'10'",
  ]

  static func query(_ random: inout SeededRandom) -> Query {
    let table = ["thing", "plain", "noted"].randomElement(using: &random) ?? "thing"
    let key = table == "plain" ? "rowid" : "id"
    let list: SQL =
      ["*", "name, size", "name AS title, flag", "flag"].randomElement(using: &random) ?? "*"
    let value = values.randomElement(using: &random) ?? "NULL"
    let number = Int.random(in: 0..<8, using: &random)
    let condition: SQL =
      switch Int.random(in: 0..<8, using: &random) {
      case 0: ""
      case 1: " WHERE flag = \(number)"
      case 2: " WHERE size < \(value) OR name IS NULL"
      case 3: " WHERE NOT (size = \(value))"
      case 4: " WHERE flag IN \(list: [1, 2, number]) AND name IS NOT \(value)"
      case 5: " WHERE \(identifier: key) > \(number) AND flag <> 4"
      case 6: " WHERE name LIKE 'A%' OR flag > \(number)"
      default: " WHERE flag + 1 BETWEEN 2 AND \(number)"
      }
    let terms: [SQL] = ["size", "name DESC", "flag", "name", "size DESC", "flag DESC"]
    let count = Int.random(in: 0...2, using: &random)
    let chosen = terms.shuffled(using: &random).prefix(count)
    var order = chosen.reduce(into: SQL("")) { $0 = $0.text.isEmpty ? $1 : "\($0), \($1)" }
    let last: SQL = Bool.random(using: &random) ? "\(identifier: key)" : "\(identifier: key) DESC"
    let start: SQL = "SELECT \(list) FROM \(identifier: table)\(condition)"
    if Bool.random(using: &random) {
      order = order.text.isEmpty ? last : "\(order), \(last)"
      return Query(text: "\(start) ORDER BY \(order)", expected: "\(start) ORDER BY \(order)")
    }
    let isOrdered = !order.text.isEmpty
    return Query(
      text: isOrdered ? "\(start) ORDER BY \(order)" : start,
      expected: isOrdered
        ? "\(start) ORDER BY \(order), \(identifier: key)"
        : "\(start) ORDER BY \(identifier: key)")
  }

  static func insertion(_ number: Int) -> SQL {
    switch number % 4 {
    case 0: "INSERT INTO owner VALUES (\(number), 'owner')"
    case 1: "INSERT INTO thing (id, name, size, flag) VALUES (\(number), 'a', \(number), 1)"
    case 2: "INSERT INTO plain VALUES (\(number), \(number), 2)"
    default: "INSERT INTO noted VALUES (\(number), 'n', \(number), 3, NULL)"
    }
  }

  static func change(_ random: inout SeededRandom) -> SQL {
    let table = SQL.name(["thing", "plain", "noted"].randomElement(using: &random) ?? "thing")
    let column = SQL.name(["name", "size"].randomElement(using: &random) ?? "size")
    let value = values.randomElement(using: &random) ?? "NULL"
    let (id, flag): (SQL, SQL) = (
      SQL(unchecked: "\(Int.random(in: 1..<40, using: &random))"),
      SQL(unchecked: "\(Int.random(in: 0..<10, using: &random))")
    )
    // The statements have no bound values, so that the other program can run them too.
    return switch Int.random(in: 0..<22, using: &random) {
    case 0...3: "UPDATE \(table) SET \(column) = \(value) WHERE rowid = \(id)"
    case 4: "UPDATE \(table) SET \(column) = \(value) WHERE flag = \(flag)"
    case 5: "UPDATE \(table) SET flag = \(flag) WHERE rowid % 3 = 1"
    case 6: "DELETE FROM \(table) WHERE rowid = \(id)"
    case 7: "DELETE FROM \(table) WHERE flag = \(flag)"
    case 8: "UPDATE thing SET id = id + 50 WHERE id = \(id)"
    case 9: "UPDATE plain SET rowid = \(id) WHERE rowid = \(flag)"
    case 10: "UPDATE OR REPLACE thing SET code = \(flag) WHERE id = \(id)"
    case 11: "INSERT OR REPLACE INTO thing (name, code, flag) VALUES (\(value), \(flag), \(flag))"
    case 12: "REPLACE INTO plain (name, size, flag) VALUES (\(value), \(id), \(flag))"
    case 13:
      """
      INSERT INTO plain (name, flag) VALUES (\(value), \(flag))
      ON CONFLICT (name) DO UPDATE SET rowid = rowid + 60, size = \(id)
      """
    case 14:
      """
      INSERT INTO thing (id, size, flag) VALUES (\(id), \(value), \(flag))
      ON CONFLICT (id) DO UPDATE SET size = excluded.size
      """
    case 15: "INSERT OR IGNORE INTO thing (id, flag, owner) VALUES (\(id), \(flag), \(flag))"
    case 16: "DELETE FROM \(table)"
    case 17: "INSERT INTO order_of_things VALUES (\(id))"
    case 18: "DELETE FROM owner WHERE id = \(flag)"
    case 19: "UPDATE owner SET id = id + 1 WHERE id = \(flag)"
    case 20: "INSERT INTO thing (name, size, flag) SELECT name, size, flag FROM plain"
    default: "UPDATE OR FAIL thing SET flag = flag + 1 WHERE id > \(id)"
    }
  }
}

extension SQL {
  fileprivate static func name(_ name: String) -> SQL { "\(identifier: name)" }
}
