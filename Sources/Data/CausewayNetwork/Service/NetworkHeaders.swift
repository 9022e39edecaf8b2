/// The header fields of a request or a response.
///
/// Names are case-insensitive.
public struct NetworkHeaders: Sendable, Hashable {
  private var fields: [String: String] = [:]

  /// Makes an empty collection.
  public init() {}

  /// Makes fields from pairs.
  ///
  /// A later pair replaces an earlier one with the same name.
  public init(_ pairs: some Sequence<(String, String)>) {
    for (name, value) in pairs { self[name] = value }
  }

  /// The value of a field, `nil` if there is none.
  public subscript(_ name: String) -> String? {
    get { fields[name.lowercased()] }
    set { fields[name.lowercased()] = newValue }
  }

  /// The lowercase names and the values, ordered by name.
  public var sorted: [(name: String, value: String)] {
    fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns both sets of fields.
  ///
  /// If a name is in both sets, the value of the other set is used.
  package func merging(_ other: NetworkHeaders) -> NetworkHeaders {
    var merged = self
    merged.fields.merge(other.fields) { $1 }
    return merged
  }

  /// The reason why the fields cannot be sent; `nil` if they are valid.
  ///
  /// A line break in a value would start another header field.
  package var problem: String? {
    for (name, value) in sorted {
      if name.isEmpty || !name.utf8.allSatisfy(Self.isToken) {
        return "the header name \"\(name)\" has characters that names cannot have"
      }
      if value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) {
        return "the value of the header \(name) has a line break or a null in it"
      }
    }
    return nil
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

extension NetworkHeaders: ExpressibleByDictionaryLiteral {
  /// Makes fields from names and values.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements)
  }
}

extension NetworkHeaders: CustomStringConvertible {
  /// The names of the fields, without the values, which may be secret.
  public var description: String { sorted.map(\.name).joined(separator: ", ") }
}
