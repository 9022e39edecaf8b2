extension FieldEdit: Encodable where Root: EditableState {
  /// Encodes the edit as an object with one member: the name of the field, and the new value.
  ///
  /// - Throws: `EncodingError` if the field is not editable, or if its type is not `Encodable`.
  public func encode(to encoder: any Encoder) throws {
    guard let name = field?.name, let value = value as? any Encodable else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription:
            "\(keyPath) is not among the editable fields of \(Root.self), or is not Encodable."))
    }
    var container = encoder.container(keyedBy: FieldName.self)
    try container.encode(value, forKey: FieldName(stringValue: name))
  }
}

extension FieldEdit: Decodable where Root: EditableState {
  /// Decodes an object with one member: the name of an editable field, and the new value.
  ///
  /// - Throws: `DecodingError` for another number of members, an unknown name, a field whose type
  ///   is not `Decodable`, and a value of another type.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: FieldName.self)
    guard let name = container.allKeys.first, container.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath,
          debugDescription: "An edit is an object with one member, the name of the field."))
    }
    let fields = Root.editableFields
    guard let decode = fields.first(where: { $0.name == name.stringValue })?.decode else {
      let names = fields.filter { $0.decode != nil }.map(\.name).joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        forKey: name, in: container,
        debugDescription: "No editable field has this name. The fields are: \(names).")
    }
    self = try decode(container.superDecoder(forKey: name))
  }
}

extension FieldEdit {
  static func wrongType(_ type: Any.Type, _ decoder: any Decoder) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: decoder.codingPath, debugDescription: "The field has another type."))
  }
}

private struct FieldName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) {
    nil
  }
}
