/// A state with fields that views edit without an action for each field.
///
/// ```swift
/// struct State: EditableState, Equatable {
///   var name = ""
///   var wantsNews = false
///   var isSaving = false  // not in the list, so no view can edit it
///
///   static let editableFields = [
///     EditableField<State>("name", \.name), EditableField("wantsNews", \.wantsNews),
///   ]
/// }
/// ```
///
/// The action that carries the edits has a ``FieldEdit``, and
/// ``Interactor/editing(action:fileID:line:)`` applies them.
public protocol EditableState: Sendable {
  /// The fields that a ``FieldEdit`` may change.
  ///
  /// Make this property a stored `static let`, because it is read for each edit.
  static var editableFields: [EditableField<Self>] { get }
}
