import CausewayWeb
import Foundation

/// Checks the bindings of a page file without a browser.
///
/// It finds mistakes in the file itself, and collects the paths, which ``PathCheck`` compares with
/// a view state.
struct BindingCheck: Sendable {
  /// A path of the page file.
  struct Use: Sendable {
    enum Role: Sendable {
      case value, list, with, key
      /// Rows by key, or a value whose absence has a meaning.
      case optional
    }

    let path: BindingPath
    let role: Role
    /// The index of the element with the attribute.
    let element: Int
    let subject: String
    let line: Int
  }

  let template: PageTemplate
  let markup: Markup
  /// Decodes an action of the page; nil if the type of the actions is not known.
  let decode: PageBindings.Decode?
  /// Returns why a client cannot post to a path.
  let upload: @Sendable (String) -> String?
  /// An example of the view state; null if nothing is known.
  let sample: JSONValue
  /// For each element, the list whose row contains it.
  private let lists: [Int?]
  /// The paths to the rows of the lists, by the elements of the lists.
  let listPaths: [Int: BindingPath]
  private(set) var problems: [BindingProblem] = []
  private(set) var uses: [Use] = []

  init(
    _ template: PageTemplate, decode: PageBindings.Decode?, sample: JSONValue,
    upload: @escaping @Sendable (String) -> String?
  ) {
    self.template = template
    markup = Markup(template.html)
    self.decode = decode
    self.upload = upload
    self.sample = sample
    var lists: [Int?] = []
    for element in markup.elements {
      // An element comes after the elements around it.
      lists.append(
        element.parent.flatMap { [markup] in Self.list(ofTemplate: $0, markup) ?? lists[$0] })
    }
    self.lists = lists
    var listPaths: [Int: BindingPath] = [:]
    for (index, element) in markup.elements.enumerated() {
      guard let expression = element["data-each"] ?? element["data-with"] else { continue }
      listPaths[index] = try? BindingPath(expression)
    }
    self.listPaths = listPaths
    for index in markup.elements.indices { check(index) }
    checkIDs()
  }

  mutating func report(_ text: String, _ subject: String, line: Int) {
    problems.append(
      BindingProblem(
        line: line, place: template.place(line: line), subject: subject, text: text))
  }

  mutating func report(_ text: String, _ attribute: Markup.Attribute) {
    report(text, attribute.subject, line: attribute.line)
  }

  private mutating func check(_ index: Int) {
    let element = markup.elements[index]
    checkNames(element)
    checkOrphan(index)
    for attribute in element.attributes {
      checkAttribute(attribute, of: element, index)
    }
    checkList(index)
    checkEvents(index)
    checkForm(index)
  }

  private mutating func checkNames(_ element: Markup.Element) {
    var seen: Set<String> = []
    for attribute in element.attributes {
      if !seen.insert(attribute.name).inserted {
        report("the attribute is written twice; browsers ignore the second one.", attribute)
      }
      if attribute.name.hasPrefix("data-") {
        let name = String(attribute.name.dropFirst(5))
        if let meant = BindingNames.meant(by: name) {
          report("there is no binding with this name; did you mean \(meant)?", attribute)
        }
      } else if attribute.name.hasPrefix("on"), attribute.name.count > 2 {
        report(
          "the page's content security policy forbids scripts in attributes; write "
            + "data-on=\"\(attribute.name.dropFirst(2))\" and data-action.", attribute)
      }
    }
  }

  /// The content of a template is shown only as rows.
  private mutating func checkOrphan(_ index: Int) {
    let element = markup.elements[index]
    guard element.name == "template", !isTemplateOfList(index) else { return }
    let isBound = markup.elements.indices.contains { inner in
      markup.ancestors(of: inner).contains(index)
        && markup.elements[inner].attributes.contains { BindingNames.isBinding($0.name) }
    }
    if isBound {
      report(
        "only a template directly inside an element with data-each or data-with is shown.",
        "<template>", line: element.line)
    }
  }

  private func isTemplateOfList(_ index: Int) -> Bool {
    Self.list(ofTemplate: index, markup) != nil
  }

  private static func list(ofTemplate index: Int, _ markup: Markup) -> Int? {
    guard markup.elements[index].name == "template", let parent = markup.elements[index].parent,
      markup.elements[parent]["data-each"] ?? markup.elements[parent]["data-with"] != nil
    else { return nil }
    return parent
  }

  /// The list whose row contains an element.
  func list(of index: Int) -> Int? { lists[index] }

  private mutating func checkAttribute(
    _ attribute: Markup.Attribute, of element: Markup.Element, _ index: Int
  ) {
    switch attribute.name {
    case "data-text":
      addPath(attribute, index)
      if markup.elements.contains(where: { $0.parent == index }) {
        report("the text replaces the elements inside; bind an element without any.", attribute)
      }
    case "data-show", "data-hide", "data-address": addPath(attribute, index)
    case "data-value":
      addPath(attribute, index)
      if !Self.valued.contains(element.name), !element.name.contains("-") {
        report("<\(element.name)> has no value; use data-text.", attribute)
      }
    case "data-focus":
      for path in attribute.value.split(separator: ";") {
        add(path.trimmingCharacters(in: .whitespaces), .value, attribute, index)
      }
    case "data-reset":
      if element.name != "form" { report("only a form can be reset.", attribute) }
      if attribute.value.utf8.count > PageScript.watchedPathLength {
        report("the path is at most \(PageScript.watchedPathLength) bytes long.", attribute)
      }
      if (try? BindingPath(attribute.value))?.readsRow == true {
        report(
          "the server reads the path, and knows no row; begin it in the view state.", attribute)
      } else if !attribute.value.isEmpty {
        add(attribute.value, .optional, attribute, index)
      }
    case "data-attr", "data-class": addPairs(attribute, of: element, index)
    case "data-format":
      if !BindingNames.formats.contains(attribute.value) {
        report(
          "there is no format \"\(attribute.value)\""
            + (NearestName.nearest(to: attribute.value, in: BindingNames.formats)
              .map { "; did you mean \"\($0)\"?" }
              ?? "; the formats are \(BindingNames.formats.sorted().joined(separator: ", "))."),
          attribute)
      }
      if element["data-text"] == nil { report("data-format needs data-text.", attribute) }
    case "data-debounce":
      if Double(attribute.value) == nil {
        report("data-debounce is a number of milliseconds, such as \"300\".", attribute)
      }
    case "data-lane":
      let name = attribute.value.utf8
      if name.count > 32 || !name.allSatisfy({ (32..<127).contains($0) }) {
        report("the name of a lane is at most 32 characters of ASCII.", attribute)
      }
    case "data-confirm":
      for match in attribute.value.matches(of: /\{(.+?)\}/) {
        add(String(match.1), .value, attribute, index)
      }
    case "data-draft":
      if element.name != "form" { report("only a form can have drafts.", attribute) }
      if !attribute.value.isEmpty { checkAction(attribute, index) }
    case "data-upload": checkUpload(attribute, index)
    case "data-action": checkAction(attribute, index)
    default: break
    }
  }

  private static let valued: Set<String> = [
    "button", "data", "input", "li", "meter", "option", "output", "param", "progress", "select",
    "textarea",
  ]

  mutating func addPath(_ attribute: Markup.Attribute, _ index: Int, as role: Use.Role = .value) {
    add(attribute.value, role, attribute, index)
  }

  mutating func add(
    _ expression: String, _ role: Use.Role, _ attribute: Markup.Attribute, _ index: Int
  ) {
    do throws(BindingMistake) {
      let path = try BindingPath(expression)
      if path.alternatives.contains(where: \.isInRow), list(of: index) == nil {
        report(
          "\"\(expression)\" reads a row, but the element is not inside the template of a list.",
          attribute)
        return
      }
      uses.append(
        Use(
          path: path, role: role, element: index, subject: attribute.subject,
          line: attribute.line))
    } catch {
      report(error.text, attribute)
    }
  }

  /// The pairs of `name:path; name2:path2`.
  private mutating func addPairs(
    _ attribute: Markup.Attribute, of element: Markup.Element, _ index: Int
  ) {
    for pair in attribute.value.split(separator: ";") {
      let parts = pair.split(separator: ":", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      if parts == [""] { continue }
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        report("\"\(pair)\" is not \"name:path\".", attribute)
        continue
      }
      if attribute.name == "data-attr", let reason = Self.refusal(parts[0], of: element) {
        report(reason, attribute)
      }
      add(parts[1], .value, attribute, index)
    }
  }

  /// Returns the reason why the page script does not set an attribute; see `isSafe` in bindings.js.
  private static func refusal(_ name: String, of element: Markup.Element) -> String? {
    if ["script", "iframe", "object", "embed", "base", "link", "meta"].contains(element.name) {
      return "the attributes of <\(element.name)> cannot be bound."
    }
    if name.hasPrefix("on") {
      return "the event attribute \(name) cannot be bound; write "
        + "data-on=\"\(name.dropFirst(2))\" and data-action."
    }
    if name == "style" { return "the attribute style cannot be bound; use data-class." }
    let isName = name.wholeMatch(of: /[a-z][a-z0-9-]*/) != nil
    if !isName || name.hasPrefix("data-") || name == "srcdoc" || name == "srcset" {
      return "the attribute \(name) cannot be bound."
    }
    return nil
  }

  private mutating func checkList(_ index: Int) {
    let element = markup.elements[index]
    let templates = markup.elements.count { $0.parent == index && $0.name == "template" }
    for name in ["data-each", "data-with"] {
      guard let attribute = element.attribute(name) else { continue }
      addPath(attribute, index, as: name == "data-each" ? .list : .with)
      if element["data-text"] != nil {
        report("data-text on the same element removes the rows.", attribute)
      }
      if templates == 0 {
        report("the element needs a <template> directly inside it.", attribute)
      } else if templates > 1 {
        report("the element has \(templates) templates; only the first one is shown.", attribute)
      }
    }
    if let each = element.attribute("data-each") {
      if element["data-with"] != nil {
        report("an element has either data-each or data-with.", each)
      }
      if element["data-key"] == nil, hasRowMembers(index) {
        report(
          "the list needs data-key, such as data-key=\"id\"; without it, rows lose their focus and "
            + "their typed text when the list changes.", each)
      }
    } else {
      for name in ["data-key", "data-over"] {
        if let attribute = element.attribute(name) {
          report("\(name) needs data-each on the same element.", attribute)
        }
      }
    }
    if let over = element.attribute("data-over"), element["data-each"] != nil {
      addPath(over, index, as: .optional)
    }
    if let key = element.attribute("data-key"), element["data-each"] != nil {
      if key.value.hasPrefix("item.") {
        report(
          "the key is a path inside the row; write data-key=\"\(key.value.dropFirst(5))\".", key)
      } else {
        do throws(BindingMistake) {
          let path = try BindingPath("item." + key.value)
          uses.append(
            Use(path: path, role: .key, element: index, subject: key.subject, line: key.line))
        } catch {
          report(error.text, key)
        }
      }
    }
  }

  /// Whether the rows of a list have members: a binding in its template reads one of them.
  private func hasRowMembers(_ list: Int) -> Bool {
    markup.elements.indices.contains { index in
      self.list(of: index) == list
        && markup.elements[index].attributes.contains {
          $0.name.hasPrefix("data-") && $0.value.contains("item.")
        }
    }
  }
}

extension BindingNames {
  static func isBinding(_ attribute: String) -> Bool {
    attribute.hasPrefix("data-") && attributes.contains(String(attribute.dropFirst(5)))
  }
}

extension Markup.Attribute {
  /// The attribute as a report shows it.
  var subject: String {
    let text = value.count > 60 ? value.prefix(60) + "…" : value[...]
    return value.isEmpty ? name : "\(name)=\"\(text)\""
  }
}
