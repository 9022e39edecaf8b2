import CausewayWeb
import Foundation

/// Events, actions, forms and uploads.
extension BindingCheck {
  mutating func checkEvents(_ index: Int) {
    let element = markup.elements[index]
    if let action = element.attribute("data-action"), element["data-on"] == nil {
      report("the action needs data-on on the same element, such as data-on=\"click\".", action)
    }
    if element["data-action"] == nil {
      let needing = [
        "data-confirm", "data-confirm-unsaved", "data-debounce", "data-lane", "data-on",
        "data-upload",
      ]
      for attribute in element.attributes where needing.contains(attribute.name) {
        report("\(attribute.name) needs data-action on the same element.", attribute)
      }
    }
    guard let on = element.attribute("data-on") else { return }
    if on.value.allSatisfy(\.isWhitespace) { report("data-on needs an event.", on) }
    for event in on.value.split(whereSeparator: \.isWhitespace) {
      checkEvent(String(event), on, element)
    }
  }

  private mutating func checkEvent(
    _ event: String, _ on: Markup.Attribute, _ element: Markup.Element
  ) {
    let parts = event.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard BindingNames.events.contains(name) else {
      let plain = name.hasPrefix("on") ? String(name.dropFirst(2)) : name
      let near =
        BindingNames.events.contains(plain)
        ? plain : NearestName.nearest(to: plain, in: BindingNames.events)
      report(
        "there is no event \"\(event)\""
          + (near.map { "; did you mean \"\($0)\"?" }
            ?? "; the events are \(BindingNames.events.sorted().joined(separator: ", "))."),
        on)
      return
    }
    if name == "keydown", parts.count == 1 || parts[1].isEmpty {
      report("the event keydown needs a key, such as \"keydown.Enter\".", on)
    } else if name != "keydown", parts.count > 1 {
      report("the event \(name) has no keys; write \"\(name)\".", on)
    } else if name == "submit", element.name != "form" {
      report("only a form has the event submit; move data-on and data-action to the form.", on)
    } else if name == "address", element["data-address"] == nil {
      report("the event address needs data-address on the same element.", on)
    }
  }

  /// A form that the browser submits by itself loads the page again.
  mutating func checkForm(_ index: Int) {
    let form = markup.elements[index]
    guard form.name == "form", form["action"] == nil, form["method"] == nil,
      form["data-on"]?.split(whereSeparator: \.isWhitespace).contains("submit") != true
    else { return }
    let hasButton = markup.elements.indices.contains { inner in
      guard isInside(inner, index) else { return false }
      let element = markup.elements[inner]
      return element.name == "button"
        ? (element["type"] ?? "submit") == "submit"
        : element.name == "input" && element["type"] == "submit"
    }
    guard hasButton else { return }
    report(
      "the form's button loads the page again; give the form data-on=\"submit\" and data-action, "
        + "or give the button type=\"button\".", "<form>", line: form.line)
  }

  private func isInside(_ inner: Int, _ outer: Int) -> Bool {
    markup.ancestors(of: inner).contains(outer)
  }

  private func form(of index: Int) -> Int? {
    if markup.elements[index].name == "form" { return index }
    return markup.ancestors(of: index).first { markup.elements[$0].name == "form" }
  }

  mutating func checkUpload(_ attribute: Markup.Attribute, _ index: Int) {
    let element = markup.elements[index]
    if element.name == "input", element["type"] != "file" {
      report("only an input with type=\"file\" can upload a file.", attribute)
    }
    let values = attribute.value.matches(of: /\{(.*?)\}/)
    for match in values { add(String(match.1), .value, attribute, index) }
    let path = attribute.value.replacing(/\{.*?\}/, with: "x").prefix { $0 != "?" }
    if let reason = upload(String(path)) { report(reason, attribute) }
  }

  mutating func checkAction(_ attribute: Markup.Attribute, _ index: Int) {
    let body = Data(attribute.value.utf8)
    guard let json = try? JSONValue(parsing: body) else {
      report(Self.brokenJSON(attribute.value), attribute)
      return
    }
    var texts: Set<String> = []
    Self.collect(json, &texts)
    var kinds: [String: ActionTemplate.Kind] = [:]
    for text in texts.sorted() { kinds[text] = kind(of: text, attribute, index) }
    guard let decode else { return }
    for mistake in decode(ActionTemplate(json) { kinds[$0] }, body) {
      report(mistake, attribute)
    }
  }

  private static func brokenJSON(_ text: String) -> String {
    if text.allSatisfy(\.isWhitespace) { return "the action is empty; write {\"name\":{}}." }
    if text.contains("'") || text.wholeMatch(of: /\{\s*\w+\s*:[^"]*/.dotMatchesNewlines()) != nil {
      return "the action is not JSON; write names and texts in double quotes."
    }
    if !text.hasPrefix("{"), text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
      return "the action is not JSON; write {\"\(text)\":{}}."
    }
    return "the action is not well-formed JSON; check its braces, commas and quotes."
  }

  private static func collect(_ value: JSONValue, _ texts: inout Set<String>) {
    switch value {
    case .string(let text): texts.insert(text)
    case .array(let elements): for element in elements { collect(element, &texts) }
    case .object(let members): for member in members.values { collect(member, &texts) }
    case .null, .bool, .integer, .number: break
    }
  }

  /// The kind of a placeholder, or nil if the text is sent as it is.
  private mutating func kind(
    of text: String, _ attribute: Markup.Attribute, _ index: Int
  ) -> ActionTemplate.Kind? {
    let letters = text.dropFirst()
    guard text.hasPrefix("$"), let first = letters.first, first.isLetter else { return nil }
    let isOptional = text.hasSuffix("?")
    let path = String(isOptional ? letters.dropLast() : letters)
    let steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let name = steps[0]
    guard BindingNames.placeholders.contains(name) else {
      report(
        "there is no placeholder \"\(text)\""
          + (NearestName.nearest(to: name, in: BindingNames.placeholders)
            .map { "; did you mean \"$\($0)\"?" }
            ?? "; the placeholders are $item, $state, $form, $value, $checked and $upload."),
        attribute)
      return .unknown
    }
    switch name {
    case "item":
      add(String(letters), .value, attribute, index)
      return sampleKind(path, index)
    case "state":
      guard steps.count > 1 else { return .object }
      add(String(letters.dropFirst("state.".count)), .value, attribute, index)
      return sampleKind(steps.dropFirst().joined(separator: "."), index)
    default: break
    }
    guard attribute.name != "data-draft" else {
      report("\"\(text)\" has no value here; a draft can read $item and $state.", attribute)
      return .unknown
    }
    switch name {
    case "form": return formKind(steps, text, attribute, index)
    case "value": return controlKind(markup.elements[index])
    case "checked": return .flag
    default:
      if markup.elements[index]["data-upload"] == nil {
        report("\"\(text)\" needs data-upload on the same element.", attribute)
      }
      return .unknown
    }
  }

  private func sampleKind(_ path: String, _ index: Int) -> ActionTemplate.Kind {
    guard let path = try? BindingPath(path), let alternative = path.alternatives.first else {
      return .unknown
    }
    let values = PathCheck(check: self, state: sample).values(of: alternative, at: index)
    let kinds = Set(values.map(ActionTemplate.Kind.init))
    return kinds.count == 1 ? kinds.first ?? .unknown : .unknown
  }

  private mutating func formKind(
    _ steps: [String], _ text: String, _ attribute: Markup.Attribute, _ index: Int
  ) -> ActionTemplate.Kind {
    guard let form = form(of: index) else {
      report("\"\(text)\" needs a form around the element.", attribute)
      return .unknown
    }
    guard steps.count == 2 else {
      if steps.count == 1 { return .object }
      report("\"\(text)\" is not a control; write \"$form.\(steps[1])\".", attribute)
      return .unknown
    }
    let id = markup.elements[form]["id"]
    let controls = markup.elements.indices
      .filter { isInside($0, form) || (id != nil && markup.elements[$0]["form"] == id) }
      .map { markup.elements[$0] }
      .filter { Self.controls.contains($0.name) || $0.name.contains("-") }
    let found = controls.filter { $0["name"] == steps[1] }
    if found.count > 1 { return .text }
    if let control = found.first {
      // A file that is uploaded is not part of the action.
      if control["type"] == "file", control["data-upload"] != nil { return .unknown }
      return controlKind(control)
    }
    let isBound = controls.contains { $0["data-attr"]?.contains("name") == true }
    if !isBound {
      report(
        "the form has no control with the name \"\(steps[1])\""
          + NearestName.hint(for: steps[1], in: controls.compactMap { $0["name"] }), attribute)
    }
    return .unknown
  }

  private static let controls: Set<String> = [
    "button", "fieldset", "input", "object", "output", "select", "textarea",
  ]

  /// The kind of a control's value; see `controlValue` in actions.js.
  private func controlKind(_ element: Markup.Element) -> ActionTemplate.Kind {
    if element["data-attr"]?.contains("type") == true { return .unknown }
    if element["data-type"] == "instant" { return .text }
    switch element.name {
    case "textarea", "button": return .text
    case "select": return element["multiple"] == nil ? .text : .list
    case "input":
      switch element["type"] ?? "text" {
      case "checkbox": return .flag
      case "number", "range": return .number
      case "file": return .unknown
      default: return .text
      }
    default: return .unknown
    }
  }
}
