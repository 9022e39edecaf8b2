import Foundation

/// The file `.causeway.yml`: the rules, the paths and the baseline of a project.
///
/// ```yaml
/// enabled: [unstored-task]     # besides the rules that are on by default
/// disabled:
///   - stream-termination
/// severity:
///   main-actor-run: note
/// paths: [Sources, App]
/// excluded: [Sources/Generated, "*.pb.swift"]
/// layered: [Sources]
/// baseline: .causeway-baseline.json
/// ```
///
/// It has these seven keys only, so it is read without a library: lists in brackets or in lines with
/// hyphens, values with or without quotes, and comments.
struct ConfigurationFile: Equatable {
  static let name = ".causeway.yml"
  private static let keys = [
    "enabled", "disabled", "severity", "paths", "excluded", "layered", "baseline",
  ]

  var enabled: [String] = []
  var disabled: [String] = []
  var severities: [String: Severity] = [:]
  /// Relative to the folder of the file.
  var paths: [String] = []
  /// The files and folders whose findings are not reported, as paths or patterns.
  ///
  /// Relative to the file's folder.
  var excluded: [String] = []
  /// The files and folders that `folder-layers` checks, as paths or patterns.
  ///
  /// Relative to the file's folder.
  var layered: [String] = []
  var baseline: String?

  /// Reads the file at a path; paths in it become relative to the current folder.
  init(contentsOf path: String) throws(ArgumentError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ArgumentError("\(path) cannot be read")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw ArgumentError("\(path) is not UTF-8 text")
    }
    try self.init(text, path: path)
    let folder = (path as NSString).deletingLastPathComponent
    func located(_ path: String) -> String {
      folder.isEmpty || path.hasPrefix("/") ? path : folder + "/" + path
    }
    paths = paths.map(located)
    // A pattern without a slash matches names in all folders.
    func locatedPattern(_ text: String) -> String {
      text.contains("/") || !text.contains("*") ? located(text) : text
    }
    excluded = excluded.map(locatedPattern)
    layered = layered.map(locatedPattern)
    baseline = baseline.map(located)
  }

  init(_ text: String, path: String = name) throws(ArgumentError) {
    var lists: [String: [String]] = [:]
    var key: String?
    for (line, content) in try ConfigurationFile.lines(of: text, path: path) {
      func fail(_ problem: String) -> ArgumentError {
        ArgumentError("\(path):\(line): \(problem)")
      }
      let words = content.trimmingCharacters(in: .whitespaces)
      if words.isEmpty || words == "---" { continue }
      if words == "-" || words.hasPrefix("- ") {
        guard let key, key != "severity" else {
          throw fail("the list has no key, such as 'paths:'")
        }
        lists[key, default: []] += ConfigurationFile.values(String(words.dropFirst()))
        continue
      }
      if key == "severity", content.first?.isWhitespace == true {
        lists["severity", default: []].append(words)
        continue
      }
      guard let colon = words.firstIndex(of: ":"), content.first?.isWhitespace != true else {
        throw fail("this is not a key with a value, such as 'paths: [Sources]'")
      }
      let name = String(words[..<colon])
      guard ConfigurationFile.keys.contains(name) else {
        let keys = ConfigurationFile.keys
        throw fail(
          "there is no key '\(name)'\(Suggestion.text(for: name, in: keys)); the keys are "
            + keys.dropLast().joined(separator: ", ") + " and " + keys[keys.count - 1])
      }
      guard lists[name] == nil else { throw fail("the file has the key '\(name)' twice") }
      lists[name] = ConfigurationFile.values(String(words[words.index(after: colon)...]))
      key = name
    }
    enabled = lists["enabled"] ?? []
    disabled = lists["disabled"] ?? []
    paths = lists["paths"] ?? []
    excluded = lists["excluded"] ?? []
    layered = lists["layered"] ?? []
    baseline = lists["baseline"]?.first
    guard lists["baseline"]?.count ?? 1 == 1 else {
      throw ArgumentError("\(path): 'baseline' is the path of one file")
    }
    for entry in lists["severity"] ?? [] {
      let parts = entry.split(separator: ":").map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2, let severity = Severity(rawValue: parts[1]) else {
        throw ArgumentError(
          "\(path): '\(entry)' is not a rule with a severity, such as 'main-actor-run: note'; the "
            + "severities are error, warning and note")
      }
      severities[parts[0]] = severity
    }
    for rule in enabled + disabled + severities.keys.sorted() where RuleSet.rule(rule) == nil {
      throw ArgumentError("\(path): " + RuleSet.missing(rule))
    }
    if let rule = enabled.first(where: disabled.contains) {
      throw ArgumentError("\(path): '\(rule)' is both enabled and disabled")
    }
  }

  /// The lines without comments, with their numbers; a list in brackets is one line.
  private static func lines(
    of text: String, path: String
  ) throws(ArgumentError) -> [(number: Int, content: String)] {
    var lines: [(number: Int, content: String)] = []
    var isOpen = false
    // A byte order mark is not part of the text.
    let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let content = withoutComment(line)
      if isOpen {
        lines[lines.count - 1].content += " " + content
      } else {
        lines.append((index + 1, String(content)))
      }
      let value = lines[lines.count - 1].content
      let words = value.trimmingCharacters(in: .whitespaces)
      isOpen = opensList(value, "[", "]") || opensList(value, "{", "}")
      if isOpen, words.hasPrefix("- ") { isOpen = false }
    }
    if isOpen, let last = lines.last {
      throw ArgumentError("\(path):\(last.number): the list has no closing bracket")
    }
    return lines
  }

  /// Whether the value of a key begins with a bracket that the line does not close.
  private static func opensList(_ line: String, _ open: String, _ close: Character) -> Bool {
    guard let colon = line.firstIndex(of: ":") else { return false }
    let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    return value.hasPrefix(open) && !value.contains(close)
  }

  /// A line up to a `#` that begins a comment.
  private static func withoutComment(_ line: Substring) -> Substring {
    var quote: Character?
    var previous: Character = " "
    for index in line.indices {
      let character = line[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "#", previous.isWhitespace {
        return line[..<index]
      }
      previous = character
    }
    return line
  }

  /// The values of a text: `a`, `"a"`, `[a, b]` or `{a: b}`.
  private static func values(_ text: String) -> [String] {
    var text = text.trimmingCharacters(in: .whitespaces)
    var parts = [text]
    if text.hasPrefix("[") && text.hasSuffix("]") || text.hasPrefix("{") && text.hasSuffix("}") {
      text = String(text.dropFirst().dropLast())
      parts = text.components(separatedBy: ",")
    }
    return parts.map { part in
      let value = part.trimmingCharacters(in: .whitespaces)
      for quote in ["\"", "'"]
      where value.count > 1 && value.hasPrefix(quote) && value.hasSuffix(quote) {
        return String(value.dropFirst().dropLast())
      }
      return value
    }.filter { !$0.isEmpty }
  }
}
