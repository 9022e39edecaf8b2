/// The elements of a page file, with their attributes and lines.
///
/// It reads HTML as browsers do, as far as bindings need it: names, attributes, nesting, comments,
/// and elements whose content is text. A file that is not well-formed gives an approximate tree.
struct Markup: Sendable {
  struct Attribute: Sendable {
    let name: String
    let value: String
    let line: Int
  }

  struct Element: Sendable {
    let name: String
    let attributes: [Attribute]
    let line: Int
    /// The index of the element around this one.
    let parent: Int?

    func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }
    subscript(name: String) -> String? { attribute(name)?.value }
  }

  private(set) var elements: [Element] = []
  private var bytes: [UInt8]
  private var position = 0
  private var line = 1
  /// The open elements.
  private var path: [Int] = []

  /// Complexity: O(n) in the length of the text.
  init(_ html: String) {
    bytes = Array(html.utf8)
    read()
    bytes = []
  }

  /// The elements around an element, from the inside.
  func ancestors(of index: Int) -> some Sequence<Int> {
    sequence(state: elements[index].parent) { next in
      defer { next = next.flatMap { elements[$0].parent } }
      return next
    }
  }

  private static let voids: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
  ]
  /// The content of these elements is text.
  private static let texts: Set<String> = ["script", "style", "textarea", "title"]

  private mutating func read() {
    while let start = find(UInt8(ascii: "<")) {
      move(to: start + 1)
      if starts(with: "!--") {
        skip(past: "-->")
      } else if starts(with: "/") {
        move(to: position + 1)
        close(name())
        skip(past: ">")
      } else if position < bytes.count, Self.isLetter(bytes[position]) {
        readElement()
      }
    }
  }

  private mutating func readElement() {
    let line = line
    let name = name()
    var attributes: [Attribute] = []
    var isClosed = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: ">") { break }
      if byte == UInt8(ascii: "/") { isClosed = true }
      if Self.isSpace(byte) || byte == UInt8(ascii: "/") {
        move(to: position + 1)
        continue
      }
      isClosed = false
      attributes.append(attribute())
    }
    move(to: min(position + 1, bytes.count))
    elements.append(Element(name: name, attributes: attributes, line: line, parent: path.last))
    if Self.texts.contains(name) {
      skip(past: "</\(name)")
      skip(past: ">")
    } else if !Self.voids.contains(name), !isClosed {
      path.append(elements.count - 1)
    }
  }

  private mutating func attribute() -> Attribute {
    let line = line
    let start = position
    // A name may begin with "=".
    move(to: position + 1)
    while position < bytes.count, !Self.isSpace(bytes[position]),
      !"=>/".utf8.contains(bytes[position])
    {
      move(to: position + 1)
    }
    let name = text(start..<position).lowercased()
    let afterName = (position, self.line)
    while position < bytes.count, Self.isSpace(bytes[position]) { move(to: position + 1) }
    guard starts(with: "=") else {
      (position, self.line) = afterName
      return Attribute(name: name, value: "", line: line)
    }
    move(to: position + 1)
    while position < bytes.count, Self.isSpace(bytes[position]) { move(to: position + 1) }
    var value = ""
    if starts(with: "\"") || starts(with: "'") {
      let end = find(bytes[position], from: position + 1) ?? bytes.count
      value = text(position + 1..<end)
      move(to: min(end + 1, bytes.count))
    } else {
      let start = position
      while position < bytes.count, !Self.isSpace(bytes[position]),
        bytes[position] != UInt8(ascii: ">")
      {
        move(to: position + 1)
      }
      value = text(start..<position)
    }
    return Attribute(name: name, value: Self.unescape(value), line: line)
  }

  /// Closes the innermost open element with the name, and the elements inside it.
  private mutating func close(_ name: String) {
    guard let index = path.lastIndex(where: { elements[$0].name == name }) else { return }
    path.removeSubrange(index...)
  }

  private mutating func name() -> String {
    let start = position
    while position < bytes.count, !Self.isSpace(bytes[position]),
      !"/>".utf8.contains(bytes[position])
    {
      move(to: position + 1)
    }
    return text(start..<position).lowercased()
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func find(_ byte: UInt8, from start: Int? = nil) -> Int? {
    bytes[min(start ?? position, bytes.count)...].firstIndex(of: byte)
  }

  private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private mutating func skip(past end: String) {
    while position < bytes.count {
      if starts(with: end) { return move(to: position + end.utf8.count) }
      move(to: position + 1)
    }
  }

  private mutating func move(to next: Int) {
    for byte in bytes[position..<next] where byte == 10 { line += 1 }
    position = next
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  private static func unescape(_ value: String) -> String {
    guard value.utf8.contains(UInt8(ascii: "&")) else { return value }
    let names = [
      ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&lt;", "<"),
      ("&gt;", ">"), ("&amp;", "&"),
    ]
    return names.reduce(value) { $0.replacing($1.0, with: $1.1) }
  }
}
