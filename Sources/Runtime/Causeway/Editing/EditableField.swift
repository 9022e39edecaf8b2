/// A field that views may edit.
public struct EditableField<Root: Sendable>: Sendable {
  /// The name of the field, in encoded edits and in reports.
  public let name: String
  let keyPath: any PartialKeyPath<Root> & Sendable
  /// Reads a value of the field's type; `nil` if the type is not `Decodable`.
  let decode: (@Sendable (any Decoder) throws -> FieldEdit<Root>)?

  /// Makes a field editable.
  ///
  /// - Parameters:
  ///   - name: The name of the field, in encoded edits and in reports. It must be unique.
  ///   - keyPath: The field. It may be a field of a part, such as `\.address.street`.
  public init<Value: Equatable & Sendable>(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Value> & Sendable
  ) {
    self.name = name
    self.keyPath = keyPath
    guard Value.self is any Decodable.Type else {
      decode = nil
      return
    }
    decode = { decoder in
      let decodable = Value.self as? any Decodable.Type
      guard let value = try decodable?.init(from: decoder) as? Value else {
        throw FieldEdit<Root>.wrongType(Value.self, decoder)
      }
      return FieldEdit<Root>.set(keyPath, to: value)
    }
  }
}
