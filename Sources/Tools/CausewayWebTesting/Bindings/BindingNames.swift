/// The names that the page script knows.
enum BindingNames {
  static let attributes: Set<String> = [
    "action", "address", "attr", "class", "confirm", "confirm-no", "confirm-unsaved",
    "confirm-yes", "connecting", "connection", "connection-text", "debounce", "draft", "each",
    "focus", "forget", "format", "hide", "key", "lane", "offline", "on", "online", "over",
    "problem",
    "reset", "shortcut", "show", "text", "type", "upload", "upload-progress", "value", "with",
    "zone",
  ]
  static let events: Set<String> = ["address", "change", "click", "input", "keydown", "submit"]
  static let formats: Set<String> = [
    "date", "instant", "links", "number", "percent", "time", "weekday",
  ]
  static let placeholders: Set<String> = ["checked", "form", "item", "state", "upload", "value"]

  /// Names of other libraries, and the binding that does the same.
  private static let foreign = [
    "bind": "data-text", "change": "data-on=\"change\"", "checked": "data-value",
    "click": "data-on=\"click\"", "disabled": "data-attr=\"disabled:…\"", "for": "data-each",
    "foreach": "data-each", "if": "data-show", "input": "data-on=\"input\"",
    "model": "data-value", "onclick": "data-on=\"click\"", "onsubmit": "data-on=\"submit\"",
    "repeat": "data-each", "submit": "data-on=\"submit\"", "unless": "data-hide",
  ]
  /// Names that pages use for themselves, although they resemble bindings.
  private static let own: Set<String> = ["lang", "test", "width"]

  /// The binding that was probably meant by an unknown attribute, without `data-`.
  ///
  /// Pages may have attributes of their own, so only similar names are mistakes.
  static func meant(by name: String) -> String? {
    if attributes.contains(name) || own.contains(name) { return nil }
    if let other = foreign[name] { return other }
    let limit = name.utf8.count < 5 ? 1 : 2
    guard let near = NearestName.nearest(to: name, in: attributes),
      NearestName.distance(Array(name.utf8), Array(near.utf8)) <= limit
    else { return nil }
    return "data-\(near)"
  }
}
