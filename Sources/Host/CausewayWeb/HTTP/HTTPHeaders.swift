/// Header fields in the order in which they were added; names are case-insensitive.
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral, Sequence {
  private var fields: [(name: String, value: String)] = []

  /// An empty list of fields.
  public init() {}

  /// Makes fields in the order of the literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }

  /// The first field of that name.
  ///
  /// Setting it replaces all fields of that name; nil removes them. Complexity: O(n) in the number
  /// of fields.
  public subscript(name: String) -> String? {
    get { fields.first { Self.isSame($0.name, name) }?.value }
    set {
      fields.removeAll { Self.isSame($0.name, name) }
      if let newValue { add(name, newValue) }
    }
  }

  /// Adds a field and keeps other fields of the same name, as `Set-Cookie` needs.
  ///
  /// Line breaks and NUL become spaces. A value can therefore not end its field.
  public mutating func add(_ name: String, _ value: String) {
    let isClean = value.utf8.allSatisfy { $0 != 13 && $0 != 10 && $0 != 0 }
    let clean =
      isClean
      ? value
      : String(
        value.unicodeScalars.map { "\r\n\0".unicodeScalars.contains($0) ? " " : Character($0) })
    fields.append((name, clean))
  }

  /// The values of all fields of that name.
  func values(_ name: String) -> [String] {
    fields.filter { Self.isSame($0.name, name) }.map(\.value)
  }

  /// Makes an iterator over the fields, in order.
  public func makeIterator() -> IndexingIterator<[(name: String, value: String)]> {
    fields.makeIterator()
  }

  /// Compares ASCII letters without case.
  ///
  /// Header names are tokens, so no other character has case.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    let left = left.utf8
    let right = right.utf8
    return left.count == right.count
      && zip(left, right).allSatisfy { $0 == $1 || lowercase($0) == lowercase($1) }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (65...90).contains(byte) ? byte | 0x20 : byte
  }
}
