/// The root of the key paths in a list of editable fields if the type of the state is missing.
///
/// It exists only for the compiler's message.
@_documentation(visibility: internal)
@dynamicMemberLookup
public struct UnknownFieldRoot: Sendable {
  /// Not available.
  public subscript(dynamicMember _: String) -> UnknownFieldRoot {
    get { self }
    set { self = newValue }
  }
}

extension EditableField where Root == UnknownFieldRoot {
  /// Not available: the type of the state is missing.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: "the type of the state is missing: write EditableField<Self>(\"name\", \\.name)"
  )
  public init(_ name: String, _ keyPath: WritableKeyPath<UnknownFieldRoot, UnknownFieldRoot>) {
    self.name = name
    self.keyPath = \.self
    decode = nil
  }
}
