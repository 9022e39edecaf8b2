/// A state whose type is not known: in a list of editable fields without a type, each key path could
/// begin at any type.
///
/// It exists only for the compiler's message.
@dynamicMemberLookup
public struct UnknownState: Sendable {
  /// Not available.
  public subscript(dynamicMember _: String) -> UnknownState {
    get { self }
    set { self = newValue }
  }
}

extension EditableField where Root == UnknownState {
  /// Not available: the type of the state is missing.
  @available(
    *, unavailable,
    message: "the type of the state is missing: write EditableField<Self>(\"name\", \\.name)"
  )
  public init(_ name: String, _ keyPath: WritableKeyPath<UnknownState, UnknownState>) {
    self.name = name
    self.keyPath = \.self
    decode = nil
  }
}
