import Foundation

/// The guides of Documentation as a catalog for the site, with links to its pages.
struct Guides {
  /// The folder with the converted archives of the modules, whose headings links can name.
  let archives: String

  private static let names = [
    "Tutorial", "Where", "Comparison", "Architecture", "Platforms", "Scaling",
  ]

  /// Writes the catalog.
  ///
  /// - Throws: `Failure` if a link names a page or a heading that the site does not have.
  func write(to folder: String) throws {
    try Files.clear(folder)
    for name in Self.names {
      let text = try Files.text("Documentation/\(name).md")
      try Files.write(linked(text), to: "\(folder)/\(name).md")
    }
    let topics = Self.names.map { "- <doc:\($0)>\n" }.joined()
    let page = """
      # Guides

      @Metadata {
        @TechnologyRoot
      }

      The tutorial, the words of other libraries, and how Causeway differs from them.

      ## Topics

      ### Articles


      """
    try Files.write(page + topics, to: "\(folder)/Guides.md")
  }

  /// A guide without pictures, and with links to pages of the site; code stays.
  func linked(_ text: String) throws -> String {
    var result = ""
    var rest = text.startIndex
    for code in text.matches(of: #/(?ms)^```.*?^```$/#) {
      result += try linkedProse(text[rest..<code.range.lowerBound]) + code.0
      rest = code.range.upperBound
    }
    return result + (try linkedProse(text[rest...]))
  }

  private func linkedProse(_ text: Substring) throws -> String {
    try String(text).replacing(#/!\[[^\]]*\]\([^)]*\)/#, with: "")
      .replacing(#/\[([^\]]*)\]\(([^)\s]+)\)/#) { link in
        if link.2.prefixMatch(of: #/https?:|mailto:|#/#) != nil { return String(link.0) }
        let place = #/(?:\.\./Sources/\w+/(\w+)/\w+\.docc/)?(\w+)\.md(?:#(.*))?/#
        // The site does not have the repository's other files.
        guard let match = link.2.wholeMatch(of: place),
          let address = try address(match.1, String(match.2), match.3)
        else { return String(link.1) }
        return "[\(link.1)](/\(address))"
      }
  }

  /// The address of a guide or of an article of a module; nothing for another file.
  private func address(_ module: Substring?, _ name: String, _ heading: Substring?) throws
    -> String?
  {
    let path: String
    let anchors: [String: String]
    if let module {
      let page = name == module ? name : "\(module)/\(name)"
      path = "documentation/\(page.lowercased())"
      let data = "\(archives)/\(module).doccarchive/data/\(path).json"
      guard Files.exists(data) else { throw Failure("error: the site has no page \(path)") }
      let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: data)))
      anchors = Self.anchors(of: json)
    } else {
      guard Self.names.contains(name) else { return nil }
      path = "documentation/guides/\(name.lowercased())"
      let headings = try Files.lines("Documentation/\(name).md").compactMap {
        $0.wholeMatch(of: #/#+ (.*)/#).map { String($0.1) }
      }
      anchors = Dictionary(
        headings.map { (Self.slug($0), $0.replacing(" ", with: "-")) }, uniquingKeysWith: { $1 })
    }
    guard let heading, !heading.isEmpty else { return path }
    guard let anchor = anchors[String(heading)] else {
      throw Failure("error: \(path) has no heading for the link #\(heading)")
    }
    return "\(path)#\(anchor)"
  }

  /// The anchor of a heading in the repository.
  static func slug(_ heading: String) -> String {
    heading.lowercased().replacing(#/[^a-z0-9 -]/#, with: "").replacing(" ", with: "-")
  }

  /// The anchors of a converted page, by their anchors in the repository.
  static func anchors(of value: Any) -> [String: String] {
    var found: [String: String] = [:]
    var parts = value as? [Any] ?? []
    if let object = value as? [String: Any] {
      parts = Array(object.values)
      if object["type"] as? String == "heading", let text = object["text"] as? String {
        found[slug(text)] = object["anchor"] as? String
      }
    }
    for part in parts { found.merge(anchors(of: part)) { $1 } }
    return found
  }
}
