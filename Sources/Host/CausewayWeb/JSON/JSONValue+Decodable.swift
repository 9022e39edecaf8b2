import Foundation

extension JSONValue: Decodable {
  package init(from decoder: any Decoder) throws {
    if let keyed = try? decoder.container(keyedBy: MemberName.self) {
      var members: [String: JSONValue] = [:]
      for key in keyed.allKeys {
        members[key.stringValue] = try keyed.decode(JSONValue.self, forKey: key)
      }
      self = .object(members)
      return
    }
    if var unkeyed = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !unkeyed.isAtEnd { elements.append(try unkeyed.decode(JSONValue.self)) }
      self = .array(elements)
      return
    }
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let flag = try? single.decode(Bool.self) {
      self = .bool(flag)
    } else if let integer = try? single.decode(Int64.self) {
      self = .integer(integer)
    } else if let number = try? single.decode(Double.self) {
      self = .number(number)
    } else {
      self = .string(try single.decode(String.self))
    }
  }

  /// Parses a JSON text.
  ///
  /// Throws `DecodingError` for text that is not JSON. Complexity: O(n) in the text's length.
  package init(parsing text: some Sequence<UInt8>) throws {
    self = try JSONDecoder().decode(JSONValue.self, from: Data(text))
  }

  private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
