import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10)))
struct HTMLTests {
  @Test(arguments: [
    ("plain", "plain"), ("<b>", "&lt;b&gt;"), ("a & b", "a &amp; b"),
    (#"" onload="x"#, "&quot; onload=&quot;x"), ("it's", "it&#39;s"), ("é🙂", "é🙂"),
  ])
  func `characters with a special meaning in HTML are escaped`(text: String, expected: String) {
    #expect(HTML.escape(text) == expected)
  }

  @Test func `a page must contain its placeholder exactly once`() {
    #expect(throws: PageTemplate.Invalid.missingPlaceholder) { try PageTemplate("<html>") }
    #expect(throws: PageTemplate.Invalid.repeatedPlaceholder) {
      try PageTemplate(PageTemplate.placeholder + PageTemplate.placeholder)
    }
  }

  @Test func `values and the state are escaped for their place in the page`() throws {
    let template = try PageTemplate(
      "<title>{{title}}</title><!-- causeway --><p>{{title}}{{other}}</p>",
      values: ["title": "<Tea>"])
    let page = String(
      decoding: template.render(
        token: "abc", version: "1", heartbeat: .seconds(15),
        state: JSONValue.object(["text": "</script><script>alert(1)</script>"]).serialized(.html)),
      as: UTF8.self)
    #expect(page.hasPrefix("<title>&lt;Tea&gt;</title>"))
    #expect(page.hasSuffix("<p>&lt;Tea&gt;{{other}}</p>"))
    #expect(page.contains(#"<meta name="causeway-session" content="abc">"#))
    #expect(page.contains(#"id="state">{"text":"\u003c/script\u003e"#))
    #expect(!page.contains("alert(1)</script>"))
  }
}
