extension IdentifiedArray: Encodable where Element: Encodable {
  /// Encodes the elements in order, as an `Array` does.
  ///
  /// Complexity: O(*n*).
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: The errors of the encoder and of the elements.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in elements { try container.encode(element) }
  }
}

extension IdentifiedArray: Decodable
where Element: Decodable & Identifiable, ID == Element.ID {
  /// Decodes the elements in order, in the format of an `Array`.
  ///
  /// Complexity: O(*n*).
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: The errors of the decoder and of the elements. `DecodingError.dataCorrupted` if two
  ///   elements have the same id, with the path of the second element.
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
              ids unique, or decode an Array and combine its elements with \
              init(_:id:uniquingWith:).
              """))
      }
      _ = append(element)
    }
  }
}

/// The index of an element in the path of a decoding error.
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
