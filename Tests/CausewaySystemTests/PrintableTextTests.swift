import CausewaySystem
import Foundation
import Testing

@Suite struct `A text of a stranger` {
  @Test(arguments: [
    ("Ana\nharbor: all accounts were removed", #"Ana\nharbor: all accounts were removed"#),
    ("\u{1B}]0;title\u{7}\u{1B}[2J", #"\u{1B}]0;title\u{7}\u{1B}[2J"#),
    ("\u{9B}31mred\u{85}next\u{7F}", #"\u{9B}31mred\u{85}next\u{7F}"#),
    ("a\u{2028}b\u{2029}c\r\t\0", #"a\u{2028}b\u{2029}c\r\t\u{0}"#),
    ("exe.\u{202E}gpj\u{2066}x\u{2069}\u{200F}", #"exe.\u{202E}gpj\u{2066}x\u{2069}\u{200F}"#),
    ("pay\u{200B}pal\u{FEFF}\u{E0041}", #"pay\u{200B}pal\u{FEFF}\u{E0041}"#),
    ("Zoë 👩\u{200D}👩\u{200D}👧 می\u{200C}خواهم \\", "Zoë 👩\u{200D}👩\u{200D}👧 می\u{200C}خواهم \\"),
  ])
  func `has no character that commands a terminal or forges a line`(text: String, escaped: String) {
    #expect(PrintableText.escaped(text) == escaped)
  }

  @Test func `keeps its lines only if they are wanted`() {
    #expect(PrintableText.escaped("a\nb\u{1B}", keepsLines: true) == "a\nb\\u{1B}")
    #expect(PrintableText.escaped("a\r\nb", keepsLines: true) == "a\\r\nb")
  }

  @Test func `is the same JSON document with the escapes of JSON`() throws {
    let names = ["\u{9B}2J", "\u{202E}x", "\u{7F}", "tag \u{E0041}", "Zoë 👧"]
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted]
    let text = String(decoding: try encoder.encode(names), as: UTF8.self)
    let escaped = PrintableText.escaped(text, keepsLines: true, style: .json)
    #expect(escaped.contains(#"\u009b2J"#))
    #expect(escaped.contains(#"\udb40\udc41"#))
    #expect(try JSONDecoder().decode([String].self, from: Data(escaped.utf8)) == names)
  }

  @Test func `is cut at the limit, which no escape exceeds`() {
    #expect(PrintableText.escaped("abcdef", limit: 4) == "abcd… (2 more bytes)")
    #expect(PrintableText.escaped("abcd", limit: 4) == "abcd")
    #expect(PrintableText.escaped("ab\u{1B}", limit: 7) == "ab… (1 more bytes)")
    #expect(PrintableText.escaped("aé", limit: 2) == "a… (2 more bytes)")
    let flood = String(repeating: "\u{1B}", count: 9_000_000)
    #expect(PrintableText.escaped(flood, limit: 2_000).utf8.count < 2_100)
  }
}
