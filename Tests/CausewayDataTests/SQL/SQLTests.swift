import CausewayData
import Foundation
import Testing

@Suite struct SQLTests {
  private enum Harbour: String { case kiel }

  @Test func `Interpolated values are bound and never inserted into the text`() {
    let name = "'; DROP TABLE activity; --"
    let query: SQL = "SELECT * FROM activity WHERE name = \(name) AND size > \(3)"
    #expect(query.text == "SELECT * FROM activity WHERE name = ? AND size > ?")
    #expect(query.bindings == [.text(name), .integer(3)])
  }

  @Test func `A statement renders numbered placeholders, also next to question marks in text`() {
    let inner: SQL = "b = \(2) AND c = 'é?'"
    let query = SQL("SELECT '?' WHERE a = \(1) AND \(inner) AND d IN \(list: [3, 4])")
    #expect(
      query.numberedText
        == "SELECT '?' WHERE a = $1 AND b = $2 AND c = 'é?' AND d IN ($3, $4)")
    #expect(query.bindings == [.integer(1), .integer(2), .integer(3), .integer(4)])
  }

  @Test func `An identifier with any content is quoted`() {
    let query: SQL = "SELECT * FROM \(identifier: "odd \"name\"")"
    #expect(query.text == "SELECT * FROM \"odd \"\"name\"\"\"")
    #expect(query.bindings.isEmpty)
  }

  @Test func `An IN condition with an empty list matches no row`() {
    let query: SQL = "id IN \(list: [Int]())"
    #expect(query.text == "id IN (SELECT NULL WHERE 1 = 0)")
    #expect(query.numberedText == "id = ANY ('{}')")
    let nested: SQL = "a = \(1) AND \(query) OR b Not\n in\(list: [Int]()) AND c = \(2)"
    #expect(nested.numberedText == "a = $1 AND id = ANY ('{}') OR b <> ALL ('{}') AND c = $2")
    // Without the word, or with a name that ends with it, the list stays as it is.
    let other: SQL = "SELECT \"in\" FROM join_in\(list: [Int]()) WHERE \(list: [Int]())"
    #expect(other.numberedText == other.text)
  }

  @Test func `Swift values bind as the database's storage types`() {
    let id = UUID()
    let date = Date(timeIntervalSinceReferenceDate: 12.25)
    let nothing: Int? = nil
    let query: SQL = """
      \(true) \(id) \(date) \(Data([1, 2])) \([UInt8(3)]) \(Harbour.kiel) \(nothing) \(1.5)
      """
    #expect(
      query.bindings == [
        .boolean(true), .uuid(id), .date(date), .blob([1, 2]), .blob([3]), .text("kiel"),
        .null, .real(1.5),
      ])
  }
}
