import Foundation

/// The build settings of one configuration of an Xcode project, and of the files that it is based
/// on.
///
/// Conditional settings such as `SWIFT_VERSION[sdk=…]` are not read.
struct XcodeConfiguration {
  private var values: [String: String] = [:]

  /// Adds settings above the present ones; `$(inherited)` in them stands for the present ones.
  mutating func add(_ settings: [String: String]) {
    for (key, value) in settings where !key.contains("[") {
      values[key] = ["$(inherited)", "${inherited}"].reduce(value) {
        $0.replacing($1, with: values[key] ?? "")
      }
    }
  }

  /// Adds the settings of a project file.
  mutating func add(_ settings: [String: Any]) {
    add(settings.compactMapValues { $0 as? String ?? ($0 as? [String])?.joined(separator: " ") })
  }

  /// The value of a setting, with the values of the settings that it names; nil if it is empty.
  subscript(_ key: String) -> String? {
    let value = values[key].map { expand($0, depth: 0) }?.trimmingCharacters(in: .whitespaces)
    return value?.isEmpty == false ? value : nil
  }

  var keys: some Collection<String> { values.keys }

  private func expand(_ text: String, depth: Int) -> String {
    guard depth < 10 else { return "" }
    return text.replacing(/\$[({]([A-Za-z0-9_]+)(:default=([^)}]*))?[^)}]*[)}]/) { match in
      values[String(match.1)].map { expand($0, depth: depth + 1) } ?? String(match.3 ?? "")
    }
  }
}

/// The settings of an `.xcconfig` file and of the files that it includes.
struct XcodeConfigurationFile {
  let settings: [String: String]

  /// - Parameters:
  ///   - path: The file.
  ///   - read: Returns the text of a file; nil if there is none.
  init(_ path: String, read: (String) -> String?) {
    var settings: [String: String] = [:]
    XcodeConfigurationFile.add(path, to: &settings, visited: [], read)
    self.settings = settings
  }

  private static func add(
    _ path: String, to settings: inout [String: String], visited: Set<String>,
    _ read: (String) -> String?
  ) {
    guard !visited.contains(path), visited.count < 50, let text = read(path) else { return }
    for line in text.split(whereSeparator: \.isNewline) {
      let statement = (line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line)
        .trimmingCharacters(in: .whitespaces)
      if let match = statement.firstMatch(of: /^#include\??\s*"([^"]+)"/) {
        let folder = (path as NSString).deletingLastPathComponent
        let included = match.1.hasPrefix("/") ? String(match.1) : folder + "/" + match.1
        add(included, to: &settings, visited: visited.union([path]), read)
      } else if let equals = statement.firstIndex(of: "=") {
        let key = statement[..<equals].trimmingCharacters(in: .whitespaces)
        let value = statement[statement.index(after: equals)...]
          .trimmingCharacters(in: CharacterSet(charactersIn: " \t;"))
        settings[key] = value.replacing("$(inherited)", with: settings[key] ?? "$(inherited)")
      }
    }
  }
}
