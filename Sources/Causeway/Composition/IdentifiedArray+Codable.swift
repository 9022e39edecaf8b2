extension IdentifiedArray: Encodable where Element: Encodable {
  /// Encodes the elements in order, as an `Array` does.
  ///
  /// Complexity: O(*n*).
  ///
  /// - Parameter encoder: Where to.
  /// - Throws: What the encoder or an element throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in elements { try container.encode(element) }
  }
}

extension IdentifiedArray: Decodable
where Element: Decodable & Identifiable, ID == Element.ID {
  /// Decodes the elements in order, from what an `Array` of them encodes.
  ///
  /// Complexity: O(*n*).
  ///
  /// - Parameter decoder: Where from.
  /// - Throws: What the decoder or an element throws; `DecodingError.dataCorrupted`, with the path of
  ///   the second one, where two elements have the same id.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let position = container.currentIndex
      let element = try container.decode(Element.self)
      if let first = index(id: element.id) {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: container.codingPath + [Position(intValue: position)],
            debugDescription: """
              The elements at \(first) and \(position) have the same id, \(element.id). Make the \
              ids unique, or decode an Array and say with init(_:id:uniquingWith:) which to keep.
              """))
      }
      append(element)
    }
  }
}

/// The place of an element in the path of a decoding error.
private struct Position: CodingKey {
  let index: Int

  var intValue: Int? { index }
  var stringValue: String { "Index \(index)" }

  init(intValue: Int) {
    index = intValue
  }

  init?(stringValue: String) {
    nil
  }
}
