import Foundation

/// A file, a folder, or a pattern with `*` and `**`.
///
/// `*` matches a part of a name, `**` any number of folders. A pattern without a slash, such as
/// `*.pb.swift`, matches only the names of files.
struct PathPattern {
  private let text: String
  private let isName: Bool

  init(_ text: String) {
    isName = !text.contains("/") && text.contains("*")
    self.text = isName ? text : URL(fileURLWithPath: text).standardizedFileURL.path
  }

  func matches(_ path: String) -> Bool {
    let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
    if isName { return PathPattern.matches([text], [(absolute as NSString).lastPathComponent]) }
    let parts = text.split(separator: "/").map(String.init)
    let names = absolute.split(separator: "/").map(String.init)
    // A folder contains all files below it.
    return names.indices.contains { end in
      end + 1 >= parts.filter { $0 != "**" }.count
        && PathPattern.matches(parts[...], names[...end])
    }
  }

  private static func matches(_ parts: ArraySlice<String>, _ names: ArraySlice<String>) -> Bool {
    guard let part = parts.first else { return names.isEmpty }
    if part == "**" {
      return (0...names.count).contains { matches(parts.dropFirst(), names.dropFirst($0)) }
    }
    guard let name = names.first else { return false }
    return isLike(part, name) && matches(parts.dropFirst(), names.dropFirst())
  }

  /// Whether a name consists of the texts between the stars, in their order.
  private static func isLike(_ part: String, _ name: String) -> Bool {
    let texts = part.split(separator: "*", omittingEmptySubsequences: false)
    guard texts.count > 1 else { return part == name }
    guard let first = texts.first, let last = texts.last, name.hasPrefix(first),
      name.hasSuffix(last), name.count >= first.count + last.count
    else { return false }
    var rest = name.dropFirst(first.count).dropLast(last.count)
    for text in texts.dropFirst().dropLast() where !text.isEmpty {
      guard let range = rest.range(of: text) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
