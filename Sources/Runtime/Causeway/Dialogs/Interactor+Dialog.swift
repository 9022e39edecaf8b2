extension Interactor {
  /// Closes a dialog when it is answered.
  ///
  /// ```swift
  /// Interact(initialValue: State()) { state, action in
  ///   switch action {
  ///   case .askToDelete: state.confirmation = Dialog(…)
  ///   case .confirmation(.chosen(.delete)): …  // the dialog is nil already
  ///   case .confirmation(.dismissed): break
  ///   }
  ///   return .state
  /// }
  /// .dialog(\.confirmation, action: \.confirmation)
  /// ```
  ///
  /// The part becomes `nil` before this interactor handles the answer. This interactor does not
  /// receive an answer that the current dialog does not offer: the second press of a button, or a
  /// choice of an earlier dialog. The first such choice is reported as
  /// ``RuntimeError/answerNotOffered(answer:site:)``.
  ///
  /// - Parameters:
  ///   - part: The dialog in the state of this interactor.
  ///   - extract: The answer in an action of this interactor, or `nil`; usually a computed
  ///     property.
  ///   - fileID: The file of the call, for reports of misuse; leave it to the compiler.
  ///   - line: The line of the call.
  public func dialog<Choice>(
    _ part: WritableKeyPath<State, Dialog<Choice>?>,
    action extract: @escaping (Action) -> DialogAnswer<Choice>?,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ResolvedInteractor<State, Action> {
    let part = StatePart(part)
    return dialog(extract, CompositionSite(fileID: fileID, line: line)) { state, answer in
      part.modify(state) { dialog in
        guard dialog.pointee?.offers(answer) == true else { return false }
        dialog.pointee = nil
        return true
      }
    }
  }

  /// Closes a dialog in a case of an optional enum when it is answered.
  ///
  /// ```swift
  /// .dialog(\.confirmation, of: \.destination, action: \.confirmation)
  /// ```
  ///
  /// The enum becomes `nil` before this interactor handles the answer. An answer that the current
  /// dialog does not offer is treated as in the variant for an optional dialog.
  ///
  /// - Parameters:
  ///   - extractDialog: The dialog in the enum, or `nil` in another case; usually a computed property
  ///     of the enum.
  ///   - part: The optional enum in the state of this interactor.
  ///   - extract: The answer in an action of this interactor, or `nil`; usually a computed
  ///     property.
  ///   - fileID: The file of the call, for reports of misuse; leave it to the compiler.
  ///   - line: The line of the call.
  public func dialog<Whole, Choice>(
    _ extractDialog: @escaping (Whole) -> Dialog<Choice>?,
    of part: WritableKeyPath<State, Whole?>,
    action extract: @escaping (Action) -> DialogAnswer<Choice>?,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ResolvedInteractor<State, Action> {
    let part = StatePart(part)
    return dialog(extract, CompositionSite(fileID: fileID, line: line)) { state, answer in
      part.modify(state) { whole in
        guard whole.pointee.flatMap(extractDialog)?.offers(answer) == true else { return false }
        whole.pointee = nil
        return true
      }
    }
  }

  /// Adds a dialog.
  ///
  /// `close` closes the current dialog if the dialog offers the answer. It returns whether the
  /// dialog was closed.
  private func dialog<Choice>(
    _ extract: @escaping (Action) -> DialogAnswer<Choice>?, _ site: CompositionSite,
    close: @escaping @MainActor (UnsafeMutablePointer<State>, DialogAnswer<Choice>) -> Bool
  ) -> ResolvedInteractor<State, Action> {
    let base = resolve()
    return base.wrapped { state, action, values in
      guard let answer = extract(action) else { return base.handle(state, action, values) }
      if close(state, answer) { return base.handle(state, action, values) }
      // A view may send a dismissal after each answer.
      if answer == .dismissed { return .state }
      return Emission(
        .report(once: ObjectIdentifier(site)) {
          .answerNotOffered(answer: CaseNames.of(answer), site: site.description)
        })
    }
  }

  /// Not available: `action:` has the wrong type.
  @available(
    *, unavailable,
    message: """
      action: must be the answer to the dialog, such as \
      var confirmation: DialogAnswer<Choice>? in the action
      """
  )
  @_disfavoredOverload
  public func dialog<Choice, Extracted>(
    _ part: WritableKeyPath<State, Dialog<Choice>?>,
    action extract: @escaping (Action) -> Extracted?
  ) -> ResolvedInteractor<State, Action> {
    resolve()
  }
}
