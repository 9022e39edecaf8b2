/// A new value for one field of a state.
///
/// ```swift
/// model.send(.edit(.set(\.name, to: "Ada")))
/// ```
///
/// Only the fields in ``EditableState/editableFields`` can be changed. In a page, the action is
/// `{"edit":{"_0":{"name":"$value"}}}`.
public struct FieldEdit<Root: Sendable>: Sendable {
  let keyPath: any PartialKeyPath<Root> & Sendable
  let value: any Equatable & Sendable
  let assign: @Sendable (inout Root) -> Void

  /// Makes an edit.
  ///
  /// - Parameters:
  ///   - keyPath: The field.
  ///   - value: The new value.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, to value: Value
  ) -> FieldEdit {
    FieldEdit(keyPath: keyPath, value: value) { $0[keyPath: keyPath] = value }
  }

  /// The new value of a field, or `nil` if the edit changes another field.
  public func value<Value: Equatable & Sendable>(of keyPath: KeyPath<Root, Value>) -> Value? {
    let changed: PartialKeyPath<Root> = self.keyPath
    return changed == keyPath ? value as? Value : nil
  }
}

extension FieldEdit: Equatable {
  /// Whether both edits set the same field to equal values.
  public static func == (left: FieldEdit, right: FieldEdit) -> Bool {
    let path: PartialKeyPath<Root> = left.keyPath
    return path == right.keyPath && left.value.equals(right.value)
  }
}

extension FieldEdit: CustomStringConvertible where Root: EditableState {
  /// The field and its new value.
  public var description: String {
    "\(field?.name ?? "\(keyPath)"): \(Abbreviation.value(value))"
  }
}

extension FieldEdit where Root: EditableState {
  /// The field, or `nil` if it is not editable.
  ///
  /// Complexity: O(*n*) in the number of editable fields.
  var field: EditableField<Root>? {
    let path: PartialKeyPath<Root> = keyPath
    return Root.editableFields.first { path == $0.keyPath }
  }
}

extension Equatable {
  fileprivate func equals(_ other: any Equatable) -> Bool {
    other as? Self == self
  }
}
