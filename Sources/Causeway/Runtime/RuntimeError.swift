/// Something that went wrong and that no handler took care of.
///
/// A view model passes it to its `onError`, on the main actor; without one it is written to the
/// standard error stream.
public enum RuntimeError: Error, CustomStringConvertible {
  /// An effect threw an error and has no `catch:`.
  case uncaughtError(any Error, effect: EffectID)
  /// `send` was kept and called after the work of its effect had returned. It did nothing.
  case sendAfterEnd(effect: EffectID)

  /// An effect has called `dismiss` and belongs to no child that can be removed.
  case nothingToDismiss(effect: EffectID)

  /// An action came for a child that is not there, so no child handled it.
  ///
  /// Reported once for each place where a child is composed.
  case missingChild(action: String, row: String?, site: String)

  /// A view state reducer or an observer answers every publication with another send. What it had
  /// queued was dropped.
  case endlessSends(publications: Int)

  /// The actions of one turn bring about one another without an end. What was queued was dropped.
  ///
  /// `action` is the last of them; `steps` is the limit of the view model.
  case endlessActions(action: String, steps: Int)

  /// What happened and how to mend it.
  public var description: String {
    switch self {
    case .uncaughtError(let error, let effect):
      "The effect \(effect) threw an error that nothing catches: \(error). Give it a catch: closure."
    case .sendAfterEnd(let effect):
      """
      The effect \(effect) had ended when its send was called, so nothing was changed. Let its \
      work return only after the last send, so that it can still be cancelled.
      """
    case .nothingToDismiss(let effect):
      """
      The effect \(effect) called dismiss, and no interactor around it is the child of an ifLet or \
      a forEach. Change the state that shows the feature instead.
      """
    case .missingChild(let action, let row, let site):
      """
      The action \(action) came for a child that is not there\(row.map { ", row \($0)" } ?? ""), so \
      no child handled it. The child is composed at \(site). Send it only while its state is present.
      """
    case .endlessSends(let publications):
      """
      Each of \(publications) publications in one turn was answered with another send, so what was \
      queued then was dropped. A view state reducer or an observer sends whenever it is called: \
      reduce without sending, and let observers send only when there is something new to say.
      """
    case .endlessActions(let action, let steps):
      """
      More than \(steps) actions were fed back in one turn, the last one being \(action), so those \
      that waited were dropped. Let a handler return .action only when that comes to an end, or \
      give the view model a higher stepLimit.
      """
    }
  }
}
