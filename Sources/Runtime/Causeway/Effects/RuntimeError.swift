/// A problem that no handler has handled.
///
/// A view model passes it to its `onError` on the main actor. Without `onError` it is written to
/// the standard error stream.
///
/// Its texts name actions by their cases, without their values, which may be personal data. In a
/// release build, they also name thrown errors and the ids of effects by their types and cases
/// only. Pass an `onError` to see the values, or use ``StepObserver/printChanges(_:to:)``.
public enum RuntimeError: Error, CustomStringConvertible {
  /// An effect threw an error and has no `catch:`.
  case uncaughtError(any Error, effect: EffectID)
  /// A stored `send` was called after the work of its effect had returned. The call did nothing.
  case sendAfterEnd(effect: EffectID)

  /// A part of a sequence or a merge has the same id as that group, so it cannot run as a part.
  ///
  /// The part starts after the group has ended.
  case partLeavesGroup(effect: EffectID)

  /// An effect has cancelled the effect of another action, because neither of them has an id.
  ///
  /// Both effects come from the same call, for example in a function that both handlers use.
  ///
  /// Reported only in debug builds, once for each call, and not to tests.
  case sharedCall(effect: EffectID, actions: [String])

  /// An effect called `dismiss`, but no removable child contains the effect.
  case nothingToDismiss(effect: EffectID)

  /// An action arrived for a child that does not exist, so no child handled it.
  ///
  /// Reported once for each source location that composes a child.
  case missingChild(action: String, row: String?, site: String)

  /// A view state reducer or an observer sends an action after every publication.
  ///
  /// The queued actions were dropped.
  case endlessSends(publications: Int)

  /// The actions of one turn cause further actions endlessly. The queued actions were dropped.
  ///
  /// `action` is the last action; `steps` is the limit of the view model.
  case endlessActions(action: String, steps: Int)

  /// A ``FieldEdit`` names a field that is not editable, so the edit changed nothing.
  ///
  /// Reported once for each source location that applies edits.
  case closedField(field: String, site: String)

  /// Two editable fields of a state have the same name, so an edit by name changes only the first.
  ///
  /// Reported once for each source location that applies edits.
  case repeatedField(name: String, site: String)

  /// A choice arrived that the current ``Dialog`` does not offer, so no interactor handled it.
  ///
  /// Reported once for each source location that closes a dialog.
  case answerNotOffered(answer: String, site: String)

  /// A test has read the default of a ``ProvidedKey``, which is the value for the app.
  ///
  /// Reported only in tests.
  case valueNotProvided(key: String)

  /// The problem and how to fix it.
  public var description: String {
    switch self {
    case .uncaughtError(let error, let effect):
      """
      The effect \(effect.reportName()) threw an error that nothing catches: \(CaseNames.of(error: error)). \
      Give it a catch: closure.
      """
    case .sendAfterEnd(let effect):
      """
      The effect \(effect.reportName()) had ended when its send was called, so nothing was changed. \
      Return from its work only after the last send. Until then, the effect can be cancelled.
      """
    case .partLeavesGroup(let effect):
      """
      A part of the sequence or merge \(effect.reportName()) has the same id, so the sequence or merge does not \
      wait for it. Give the part another id.
      """
    case .sharedCall(let effect, let actions):
      """
      The effect \(effect.reportName()) of the action \(actions.first ?? "") was cancelled, because the action \
      \(actions.last ?? "") has started an effect from the same call. Give the call an id: the same \
      id if these effects replace each other, otherwise one for each action.
      """
    case .nothingToDismiss(let effect):
      """
      The effect \(effect.reportName()) called dismiss, but no interactor around it is the child of an ifLet or \
      a forEach. Change the state that shows the feature instead.
      """
    case .missingChild(let action, let row, let site):
      """
      The action \(action) arrived for a missing \(row == nil ? "child" : "row"), so no child \
      handled it. The child is composed at \(site). Send the action only while the child's \
      state exists.
      """
    case .endlessSends(let publications):
      """
      Each of \(publications) publications in one turn caused another send, so the queued actions \
      were dropped. A view state reducer or an observer sends an action at each call. A reducer \
      must not send. An observer may send only if the chain of sends ends.
      """
    case .endlessActions(let action, let steps):
      """
      More than \(steps) actions were fed back in one turn, so the queued actions were dropped. \
      The last action was \(action). Return .action only if the chain of actions ends, or pass a \
      higher stepLimit to the view model.
      """
    case .closedField(let field, let site):
      """
      An edit of \(field) changed nothing, because this field is not editable. The edits are \
      applied at \(site). Add the field to editableFields, or change it by a separate action.
      """
    case .repeatedField(let name, let site):
      """
      Two editable fields have the name \(name), so an edit by name changes only the first of them. \
      The edits are applied at \(site). Give each field a name of its own.
      """
    case .answerNotOffered(let answer, let site):
      """
      The answer \(answer) arrived while no dialog offered it, so it was not handled. The dialog \
      is closed at \(site). Answer a dialog once, with one of its buttons.
      """
    case .valueNotProvided(let key):
      """
      The value \(key) was read, but no interactor provides it in this test, so the app's default \
      was used. Provide a value with .providing(…), or give the key a value for tests.
      """
    }
  }
}
