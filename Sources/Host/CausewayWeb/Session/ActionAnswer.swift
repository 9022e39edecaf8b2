/// When the server answers an action that a page has sent.
///
/// Until the answer arrives, the page keeps the action and marks the element as busy.
public enum ActionAnswer: Sendable, Hashable {
  /// As soon as the action has changed the state.
  ///
  /// Effects may still run. They are lost if the server ends. Use this for actions that store
  /// nothing, such as a search or opening a form.
  case atOnce
  /// When the effects that the action started have ended.
  ///
  /// Everything that the effects store is stored by then. The page sends its next action after the
  /// answer. ``WebServer/stop(deadline:)`` waits for these effects. If it has to cancel them, the
  /// answer is not "accepted".
  ///
  /// The answer does not wait for effects of `observe`, because they usually run until they are
  /// cancelled. It also does not wait for the effects that these have started. It waits for all of
  /// them if a later part of a sequence waits for them.
  ///
  /// After ``WebServerLimits/effectTime`` the answer is 202. The page then sends its next action,
  /// and keeps this one marked as sent. It asks again until the effects have ended. If the session
  /// ends first, the page tells the user to check the action.
  /// ``WebServerConfiguration/reportError`` receives the names and the source locations of the
  /// effects, once for each source location.
  case afterEffects
}
