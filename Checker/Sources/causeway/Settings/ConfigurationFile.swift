import Foundation

/// The file `.causeway.yml`: the rules, the paths and the baseline of a project.
///
/// ```yaml
/// enabled: [unstored-task]     # besides the rules that are on by default
/// disabled:
///   - stream-termination
/// paths: [Sources, App]
/// baseline: .causeway-baseline.json
/// ```
///
/// It has these four keys only, so it is read without a library: lists in brackets or in lines with
/// hyphens, values with or without quotes, and comments.
struct ConfigurationFile: Equatable {
  static let name = ".causeway.yml"

  var enabled: [String] = []
  var disabled: [String] = []
  /// Relative to the folder of the file.
  var paths: [String] = []
  var baseline: String?

  /// Reads the file at a path; paths in it become relative to the current folder.
  init(contentsOf path: String) throws(ArgumentError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ArgumentError("\(path) cannot be read")
    }
    try self.init(String(decoding: data, as: UTF8.self), path: path)
    let folder = (path as NSString).deletingLastPathComponent
    func located(_ path: String) -> String {
      folder.isEmpty || path.hasPrefix("/") ? path : folder + "/" + path
    }
    paths = paths.map(located)
    baseline = baseline.map(located)
  }

  init(_ text: String, path: String = name) throws(ArgumentError) {
    var lists: [String: [String]] = [:]
    var key: String?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      func fail(_ problem: String) -> ArgumentError {
        ArgumentError("\(path):\(index + 1): \(problem)")
      }
      let content = ConfigurationFile.withoutComment(line)
      let words = content.trimmingCharacters(in: .whitespaces)
      if words.isEmpty || words == "---" { continue }
      if words == "-" || words.hasPrefix("- ") {
        guard let key else { throw fail("the list has no key, such as 'paths:'") }
        lists[key, default: []] += ConfigurationFile.values(String(words.dropFirst()))
        continue
      }
      guard let colon = words.firstIndex(of: ":"), !content.hasPrefix(" ") else {
        throw fail("this is not a key with a value, such as 'paths: [Sources]'")
      }
      let name = String(words[..<colon])
      guard ["enabled", "disabled", "paths", "baseline"].contains(name) else {
        throw fail("there is no key '\(name)'; the keys are enabled, disabled, paths and baseline")
      }
      guard lists[name] == nil else { throw fail("the key '\(name)' is there twice") }
      lists[name] = ConfigurationFile.values(String(words[words.index(after: colon)...]))
      key = name
    }
    enabled = lists["enabled"] ?? []
    disabled = lists["disabled"] ?? []
    paths = lists["paths"] ?? []
    baseline = lists["baseline"]?.first
    guard lists["baseline"]?.count ?? 1 == 1 else {
      throw ArgumentError("\(path): 'baseline' is the path of one file")
    }
    for rule in enabled + disabled where RuleSet.rule(rule) == nil {
      throw ArgumentError("\(path): there is no rule '\(rule)'; causeway rules lists them")
    }
    if let rule = enabled.first(where: disabled.contains) {
      throw ArgumentError("\(path): '\(rule)' is both enabled and disabled")
    }
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

  /// The values of a text: `a`, `"a"` or `[a, b]`.
  private static func values(_ text: String) -> [String] {
    var text = text.trimmingCharacters(in: .whitespaces)
    var parts = [text]
    if text.hasPrefix("["), text.hasSuffix("]") {
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
