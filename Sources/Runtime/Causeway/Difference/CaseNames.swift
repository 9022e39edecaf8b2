/// Names values in reports without their contents, which may be personal data.
package enum CaseNames {
  /// Returns the case of an action and of the action inside it: `search.load`.
  ///
  /// A payload is left out unless its type is an action, because a case of another enum may be a
  /// choice of the user. If the action is not an enum, the result is the name of its type.
  package static func of(_ action: Any) -> String {
    let mirror = Mirror(reflecting: action)
    guard mirror.displayStyle == .enum else { return "\(type(of: action))" }
    guard let payload = mirror.children.first, let label = payload.label else {
      // A custom description may contain data of the user.
      let hasDescription =
        action is any CustomStringConvertible || action is any CustomDebugStringConvertible
      return hasDescription ? "\(type(of: action))" : "\(action)"
    }
    let parts = Mirror(reflecting: payload.value)
    let values =
      parts.displayStyle == .tuple ? parts.children.map(\.value) : [payload.value]
    guard let child = values.first(where: isAction) else { return label }
    return "\(label).\(of(child))"
  }

  private static func isAction(_ value: Any) -> Bool {
    let name = "\(type(of: value))"
    return name.hasSuffix("Action") || name.hasPrefix("PathAction<")
  }

  /// Returns the text of a thrown error, or only its type and case if no values are shown.
  package static func of(
    error: any Error, showsValues: Bool = BuildConfiguration.isDebug
  ) -> String {
    if showsValues { return "\(error)" }
    let mirror = Mirror(reflecting: error)
    guard mirror.displayStyle == .enum else { return "\(type(of: error))" }
    // The description of a case without a payload contains no values.
    return "\(type(of: error)).\(mirror.children.first.map { $0.label ?? "" } ?? "\(error)")"
  }
}
