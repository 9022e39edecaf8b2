/// Names values in reports without their contents, which may be a person's.
package enum CaseNames {
  /// Returns the case of an action and of the action inside it: `search.load`.
  ///
  /// An action that is no enum has the name of its type.
  package static func of(_ action: Any) -> String {
    var names: [String] = []
    var value = action
    while true {
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .enum else { break }
      guard let content = mirror.children.first else {
        names.append("\(value)")
        break
      }
      names.append(content.label ?? "")
      let parts = Mirror(reflecting: content.value)
      // The action of a row is after the row's id.
      value = parts.displayStyle == .tuple ? Array(parts.children).last?.value ?? () : content.value
    }
    return names.isEmpty ? "\(type(of: action))" : names.joined(separator: ".")
  }

  /// Returns the text of a thrown error: in a release build its type and its cases only.
  static func of(error: any Error) -> String {
    #if DEBUG
      return "\(error)"
    #else
      let (type, cases) = ("\(type(of: error))", of(error))
      return type == cases ? type : "\(type).\(cases)"
    #endif
  }
}
