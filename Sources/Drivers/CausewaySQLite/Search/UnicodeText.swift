import CSQLite
import Foundation

#if canImport(CICU)
  import CICU
#endif

/// The comparison of texts beyond ASCII, which SQLite itself does not support.
///
/// Queries can use two collations. `unicode` has the order of Unicode for all languages, and
/// `unicode_nocase` also ignores case. The function `unicode_fold(text)` removes the differences of
/// case and of equivalent characters. SQLite's own `lower`, `LIKE` and `NOCASE` are unchanged,
/// because indexes of other programs depend on them.
enum UnicodeText {
  /// Makes the collations and the function available to a connection.
  static func attach(to database: OpaquePointer) {
    // A collation is made when a statement first needs it.
    sqlite3_collation_needed(database, nil, makeCollation)
    sqlite3_create_function_v2(
      database, "unicode_fold", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      foldValue, nil, nil, nil)
  }

  /// Returns a text that is equal for texts that differ only in case or in the form of characters.
  static func folded(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    // The upper case of ß has two letters.
    return text.uppercased().lowercased().precomposedStringWithCanonicalMapping
  }
}

private func foldValue(
  _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let value = values?.pointee else { return }
  guard sqlite3_value_type(value) == SQLITE_TEXT else {
    return sqlite3_result_value(context, value)
  }
  let bytes = UnsafeBufferPointer(
    start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value)))
  var text = UnicodeText.folded(String(decoding: bytes, as: UTF8.self))
  text.withUTF8 { utf8 in
    utf8.withMemoryRebound(to: CChar.self) { characters in
      // The base address of an empty buffer may be `nil`, which SQLite treats as NULL.
      characters.isEmpty
        ? causeway_sqlite3_result_text(context, "", 0)
        : causeway_sqlite3_result_text(context, characters.baseAddress, UInt64(characters.count))
    }
  }
}

private func makeCollation(
  _ context: UnsafeMutableRawPointer?, _ database: OpaquePointer?, _ encoding: Int32,
  _ name: UnsafePointer<CChar>?
) {
  guard let name else { return }
  let ignoresCase: Bool
  switch String(cString: name).lowercased() {
  case "unicode": ignoresCase = false
  case "unicode_nocase": ignoresCase = true
  default: return
  }
  #if canImport(CICU)
    // Without a collator, SQLite reports that there is no such collation.
    guard let collator = causeway_icu_collator(ignoresCase ? 1 : 0) else { return }
    sqlite3_create_collation_v2(
      database, name, SQLITE_UTF8, UnsafeMutableRawPointer(collator),
      { collator, length, text, otherLength, other in
        Int32(
          causeway_icu_compare(
            OpaquePointer(collator), text?.assumingMemoryBound(to: CChar.self), length,
            other?.assumingMemoryBound(to: CChar.self), otherLength))
      },
      { causeway_icu_close_collator(OpaquePointer($0)) })
  #else
    sqlite3_create_collation_v2(
      database, name, SQLITE_UTF8, UnsafeMutableRawPointer(bitPattern: ignoresCase ? 2 : 1),
      { mode, length, text, otherLength, other in
        let text = String(
          decoding: UnsafeRawBufferPointer(start: text, count: Int(length)), as: UTF8.self)
        let other = String(
          decoding: UnsafeRawBufferPointer(start: other, count: Int(otherLength)), as: UTF8.self)
        let order = text.compare(
          other, options: Int(bitPattern: mode) == 2 ? .caseInsensitive : [], range: nil,
          locale: Locale(identifier: ""))
        return Int32(order.rawValue)
      }, nil)
  #endif
}
