/// Entity tags.
///
/// A browser sends a tag back to ask whether the content has changed (RFC 9110, section 8.8.3).
enum EntityTag {
  /// A strong tag for bytes that are in memory.
  ///
  /// The tag is the 64-bit FNV-1a hash with the length. It need not be cryptographic: a client
  /// gains nothing by a collision with its own content. Complexity: O(n).
  static func of(_ bytes: [UInt8]) -> String { "\"\(bare(of: bytes))\"" }

  /// The tag without its quotes, for a place other than a tag's field.
  static func bare(of bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return "\(String(bytes.count, radix: 16))-\(String(hash, radix: 16))"
  }

  /// Whether an `If-None-Match` list contains the tag, by the weak comparison of that field.
  static func list(_ field: String, contains tag: String) -> Bool {
    field.firstPart(separatedBy: ",") { item in
      let item = item.dropping("W/") ?? item
      return item.isName("*") || item.bytes.elementsEqual(tag.utf8) ? true : nil
    } ?? false
  }
}
