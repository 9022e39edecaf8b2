/// An action of a navigation stack: an action of one of its screens, or going back.
///
/// Screens are pushed by handlers, in response to other actions.
public enum PathAction<Screen: Identifiable & Sendable, ScreenAction: Sendable>: Sendable
where Screen.ID: Sendable {
  /// An action of the screen with an id.
  case screen(ScreenID<Screen.ID>, ScreenAction)
  /// Go back to the screen below.
  case pop
  /// Go back to the screen with an id, or to the root.
  case popTo(ScreenID<Screen.ID>?)

  /// The id and the action of a screen; `nil` if the user goes back.
  public var screen: (ScreenID<Screen.ID>, ScreenAction)? {
    if case .screen(let id, let action) = self { (id, action) } else { nil }
  }
}

extension PathAction: Equatable where ScreenAction: Equatable {}
extension PathAction: Encodable where ScreenAction: Encodable, Screen.ID: Encodable {}
extension PathAction: Decodable where ScreenAction: Decodable, Screen.ID: Decodable {}
