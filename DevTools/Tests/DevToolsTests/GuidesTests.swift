import Foundation
import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct GuidesTests {
  /// Calls the closure with guides that know the page of an article with a heading.
  private func withGuides(_ body: (Guides) throws -> Void) throws {
    try Interruption.withTemporaryFolder { folder in
      let pages = "\(folder)/Kit.doccarchive/data/documentation/kit"
      try Files.clear(pages)
      let page = #"{"a": [{"type": "heading", "text": "It's a place", "anchor": "Its-a-place"}]}"#
      try Files.write(page, to: "\(pages)/article.json")
      try body(Guides(archives: folder))
    }
  }

  @Test(arguments: [
    ("[a](../Sources/Room/Kit/Kit.docc/Article.md)", "[a](/documentation/kit/article)"),
    (
      "[a\nb](../Sources/Room/Kit/Kit.docc/Article.md#its-a-place)",
      "[a\nb](/documentation/kit/article#Its-a-place)"
    ),
    ("[a](../README.md) [b](https://example.org) [c](#d)", "a [b](https://example.org) [c](#d)"),
    ("![picture](a.svg)text", "text"),
    ("```\n[a](../README.md)\n```\n[a](../README.md)", "```\n[a](../README.md)\n```\na"),
  ])
  func `links lead to pages of the site`(text: String, linked: String) throws {
    try withGuides { guides in
      let result = try guides.linked(text)
      #expect(result == linked)
    }
  }

  @Test(arguments: ["Other.md", "Article.md#other"])
  func `a link to a page or a heading that is not there is an error`(target: String) throws {
    try withGuides { guides in
      #expect(throws: Failure.self) {
        try guides.linked("[a](../Sources/Room/Kit/Kit.docc/\(target))")
      }
    }
  }
}
