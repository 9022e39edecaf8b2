/// Reading lists in header fields.
///
/// Strangers can send thousands of parts with each request. The polling thread, which serves all
/// clients, reads the parts byte by byte, because making texts of them takes milliseconds.
extension String {
  /// Returns the first result for a part between separators, without the spaces around it.
  ///
  /// Empty parts are left out. Complexity: O(n), without copies.
  func firstPart<Result>(
    separatedBy separator: Unicode.Scalar, where find: (FieldPart) -> Result?
  ) -> Result? {
    let separator = UInt8(ascii: separator)
    var text = self
    return text.withUTF8 { bytes in
      var start = 0
      while start < bytes.count {
        var end = start
        while end < bytes.count, bytes[end] != separator { end += 1 }
        var part = FieldPart(bytes: bytes[start..<end])
        part.trim()
        if !part.bytes.isEmpty, let result = find(part) { return result }
        start = end + 1
      }
      return nil
    }
  }
}

extension String {
  /// Whether a `Content-Type` declares JSON: `application/json`, or another type that ends in `+json`.
  ///
  /// The function compares bytes, because a semicolon with an accent is one `Character` in Swift.
  /// For a browser, this semicolon ends the type, and the browser sends such a form without a
  /// preflight request.
  var declaresJSON: Bool {
    var text = self
    return text.withUTF8 { bytes in
      let (type, _) = FieldPart(bytes: bytes[...]).split(at: ";")
      return type.isName("application/json")
        || FieldPart(bytes: type.bytes.suffix(5)).isName("+json")
    }
  }
}

/// The bytes of a part of a header field, which are valid during the call that receives them.
struct FieldPart {
  fileprivate(set) var bytes: Slice<UnsafeBufferPointer<UInt8>>

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The rest after a prefix; nil if the part begins in another way.
  func dropping(_ prefix: String) -> FieldPart? {
    bytes.starts(with: prefix.utf8)
      ? FieldPart(bytes: bytes.dropFirst(prefix.utf8.count)) : nil
  }

  /// Whether the part is this text; ASCII letters of the part may be capital.
  func isName(_ name: String) -> Bool {
    bytes.count == name.utf8.count
      && zip(bytes, name.utf8).allSatisfy { (65...90).contains($0) ? $0 | 32 == $1 : $0 == $1 }
  }

  /// The parts before and after the first separator, without the spaces around them.
  func split(at separator: Unicode.Scalar) -> (FieldPart, FieldPart?) {
    let index = bytes.firstIndex(of: UInt8(ascii: separator))
    var name = FieldPart(bytes: bytes[..<(index ?? bytes.endIndex)])
    name.trim()
    guard let index else { return (name, nil) }
    var rest = FieldPart(bytes: bytes[(index + 1)...])
    rest.trim()
    return (name, rest)
  }

  fileprivate mutating func trim() {
    while let first = bytes.first, first == 32 || first == 9 { bytes.removeFirst() }
    while let last = bytes.last, last == 32 || last == 9 { bytes.removeLast() }
  }
}
