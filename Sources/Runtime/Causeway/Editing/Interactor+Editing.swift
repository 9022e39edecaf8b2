extension Interactor {
  /// Applies the edits of a state's editable fields.
  ///
  /// ```swift
  /// Interact(initialValue: State()) { state, action in
  ///   switch action {
  ///   case .edit: return .state  // the field has its new value already
  ///   case .save: …
  ///   }
  /// }
  /// .editing(action: \.edit)
  /// ```
  ///
  /// The field is changed before this interactor handles the action. An edit of a field that is not
  /// editable changes nothing. The first such edit is reported as
  /// ``RuntimeError/closedField(field:site:)``. Two fields with the same name are reported as
  /// ``RuntimeError/repeatedField(name:site:)`` at the first edit.
  ///
  /// Complexity: O(1); O(*n*) in the number of editable fields for the first edit.
  ///
  /// - Parameters:
  ///   - extract: The edit in an action of this interactor, or `nil`; usually a computed property.
  ///   - fileID: The file of the call, for reports of misuse; leave it to the compiler.
  ///   - line: The line of the call.
  public func editing(
    action extract: @escaping (Action) -> FieldEdit<State>?,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ResolvedInteractor<State, Action> where State: EditableState {
    editing(\.self, action: extract, fileID: fileID, line: line)
  }

  /// Applies the edits of the editable fields of a part of the state, such as a form.
  ///
  /// See ``editing(action:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - part: The part whose fields are edited.
  ///   - extract: The edit in an action of this interactor, or `nil`; usually a computed property.
  ///   - fileID: The file of the call, for reports of misuse; leave it to the compiler.
  ///   - line: The line of the call.
  public func editing<Part: EditableState>(
    _ part: WritableKeyPath<State, Part>,
    action extract: @escaping (Action) -> FieldEdit<Part>?,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ResolvedInteractor<State, Action> {
    let base = resolve()
    let part = StatePart(part)
    let site = CompositionSite(fileID: fileID, line: line)
    let fields = OpenFields<Part>()
    return base.wrapped { state, action, values in
      guard let edit = extract(action) else { return base.handle(state, action, values) }
      let isOpen = fields.contains(edit.keyPath)
      if isOpen { part.modify(state) { edit.assign(&$0.pointee) } }
      var emission = base.handle(state, action, values)
      if !isOpen {
        emission = .both(
          Emission(
            .report(once: ObjectIdentifier(site)) {
              .closedField(field: "\(edit.keyPath)", site: site.description)
            }), emission)
      }
      guard let name = fields.repeatedName else { return emission }
      return .both(
        Emission(
          .report(once: ObjectIdentifier(fields)) {
            .repeatedField(name: name, site: site.description)
          }), emission)
    }
  }
}

/// The editable fields of a state, read at the first edit.
@MainActor
private final class OpenFields<Root: EditableState> {
  private lazy var keyPaths = Set<PartialKeyPath<Root>>(Root.editableFields.map { $0.keyPath })

  /// A name that several fields have; only the first of these fields can be decoded.
  private(set) lazy var repeatedName: String? = {
    var names: Set<String> = []
    return Root.editableFields.first { !names.insert($0.name).inserted }?.name
  }()

  func contains(_ keyPath: PartialKeyPath<Root>) -> Bool { keyPaths.contains(keyPath) }
}
